printf '0 0 0\n7 zero 0\n' >tasks
"$DIFFLNS" live -m "$DATA"/toy.map -N 2 --tasks tasks

printf '0 0 0\n3 0 1 1\n' >tasks
"$DIFFLNS" live -m "$DATA"/toy.map -N 2 --tasks tasks

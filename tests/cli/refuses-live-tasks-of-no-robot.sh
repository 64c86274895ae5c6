printf '\n0 2 0 0\n' >tasks
"$DIFFLNS" live -m "$DATA"/toy.map -N 2 --tasks tasks

touch file
"$DIFFLNS" generate small-random -N 4 --out file

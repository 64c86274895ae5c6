# Rows of one file must have been made alike.
"$DIFFLNS" bench main --cases 1 --settings small-random:45 --time-scale 0.01 --methods lns2 --threads 1 -q -o out >/dev/null
"$DIFFLNS" bench main --cases 1 --settings small-random:45 --time-scale 0.02 --methods lns2 --threads 1 -q -o out

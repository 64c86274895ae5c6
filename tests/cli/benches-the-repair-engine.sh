"$DIFFLNS" generate small-random -N 30 --count 2 --seed 3 --out set -q >/dev/null
"$DIFFLNS" bench repair --instances set --iterations 50 --out . | grep -c small-random
cut -d, -f1-4 results.csv

"$DIFFLNS" generate small-random -N 50 --seed 3 -q >/dev/null
for threads in 1 2 3; do
    "$DIFFLNS" solve -m small-random-50-3.map -i small-random-50-3.scen --iterations 30000 --anytime --threads $threads -q -o plan-$threads.json >/dev/null
done
cmp plan-1.json plan-2.json
cmp plan-1.json plan-3.json
"$DIFFLNS" check -m small-random-50-3.map -i small-random-50-3.scen plan-1.json | cut -d' ' -f1-2

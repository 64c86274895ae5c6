"$DIFFLNS" generate medium-maze -N 200 --seed 1 -q >/dev/null
for init in paths pp auto; do
    "$DIFFLNS" solve -m medium-maze-200-1.map -i medium-maze-200-1.scen --init $init --iterations 1 --rounds 1 \
        --candidates 1 --threads 1 --fallback off --report report.json -q 2>/dev/null |
        sed 's/^\(status=[a-z]*\).*\(init=[a-z]*\).*/\1 \2/'
    grep '^  "init"' report.json
done

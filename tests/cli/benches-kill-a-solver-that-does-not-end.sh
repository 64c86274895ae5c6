# With everything it started.
"$DIFFLNS" bench main --cases 1 --settings small-random:45 --time-scale 0.001 --methods '' --threads 1 -q -o out \
    --external 'slow=sleep 1000 & sleep 1000; : {map} {scen} {output}' >/dev/null
cut -d, -f5-7 out/results.csv

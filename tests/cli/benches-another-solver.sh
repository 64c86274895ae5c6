# Another solver is started with its placeholders filled in, its plan is checked, and it stands in every table.
"$DIFFLNS" bench main --cases 1 --settings small-random:45 --time-scale 0.2 --methods lns2 --threads 1 -q -o "out put" \
    --external 'ours=$DIFFLNS solve -m {map} -i {scen} -N {agents} -t {limit} -s {seed} --format paths -o {output} -q' \
    --external 'liar=printf "Agent 0:(0,0)->\n" >{output}; : {map} {scen}' \
    --external 'idle=: {map} {scen} {output}' >table
cut -d, -f1-7 "out put/results.csv"
cut -d, -f1-5 "out put/summary.csv"
ls "out put" | grep -v '\.p[nd][gf]$'

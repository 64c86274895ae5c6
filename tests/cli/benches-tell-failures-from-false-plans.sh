# Only a solver that claims success is held to its plan. Limits can be asked for in whole seconds.
"$DIFFLNS" bench main --cases 1 --settings small-random:45 --time-scale 0.01 --methods '' --threads 1 -q -o out \
    --external 'claims=echo "Agent 0:(0,0)->" >{output}; : {map} {scen}' \
    --external 'admits=echo "Agent 0:(0,0)->" >{output}; : {map} {scen}; exit 1' \
    --external 'result=echo solved=0 >{output}; : {map} {scen}' \
    --external 'empty=: >{output} {map} {scen}' \
    --external 'crash=echo rubbish >{output}; : {map} {scen}; kill -9 $$' \
    --external 'limits=echo {limit} {limit_whole}; : {map} {scen} {output}' >/dev/null
cut -d, -f5,7 out/results.csv
cat out/limits.log

# What PlanViz opens: the action model MAPF, everybody's path as long as the plan. It is read back, too, and so is a log of
# robots that turn.
cp "$DATA"/toy.map "$DATA"/toy.scen .
"$DIFFLNS" convert -m toy.map -i toy.scen "$DATA/toy.paths" -o toy.planviz --format planviz
cat toy.planviz
"$DIFFLNS" check -m toy.map -i toy.scen toy.planviz
printf '{"actionModel": "MAPF_T", "teamSize": 1, "start": [[0, 0, "E"]], "actualPaths": ["F,F,F,F,R,F,F,C,W"]}' >turning.json
"$DIFFLNS" convert -m toy.map -i toy.scen -N 1 turning.json -o - --format paths
for bad in '"MAPF_X", "start": [[0, 0]], "actualPaths": [""]' '"MAPF", "start": [], "actualPaths": ["W"]' \
    '"MAPF_T", "start": [[0, 0]], "actualPaths": ["F"]' '"MAPF", "start": [[0, 0]], "actualPaths": ["R,F"]' \
    '"MAPF", "start": [[0, 0]], "actualPaths": [7]'; do
    echo "{\"actionModel\": $bad}" >bad.json
    "$DIFFLNS" check -m toy.map -i toy.scen bad.json || echo "exit $?"
done

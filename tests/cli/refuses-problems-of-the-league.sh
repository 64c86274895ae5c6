# Every way in which a problem of the league may be wrong gets a line.
try() {
    "$DIFFLNS" solve -m problem.json -q || echo "exit $?"
}
cp "$DATA"/league/toy.* .
problem() {
    printf '{"mapFile": "toy.map", "agentFile": "%s", "taskFile": "%s", "teamSize": %s}\n' "$1" "$2" "$3" >problem.json
}
printf '3\n4\n10\n18\n' >tasks
problem toy.agents tasks 4 && try
problem nobody.agents tasks 3 && try
printf '{"mapFile": "toy.map", "teamSize": 3}' >problem.json && try
printf '{"mapFile": "toy.map", ' >problem.json && try
printf '2\n0\n6\n' >agents && problem agents tasks 2 && try
printf '2\n0\n' >agents && problem agents tasks 2 && try
printf '2\n0\n99\n' >agents && problem agents tasks 2 && try
printf 'x\n' >agents && problem agents tasks 2 && try
printf '3\n4\n4\n4\n' >tasks && problem toy.agents tasks 3 && try
printf '3\n4 10\n4\n4\n' >tasks && try
printf '3\n4\n10\n18\n' >tasks && problem toy.agents tasks 3
"$DIFFLNS" solve -m problem.json -i "$DATA/toy.scen" -q || echo "exit $?"

# Two agents that would have to pass each other: exit 3, one line that says who and where.
printf 'type octile\nheight 1\nwidth 4\nmap\n....\n' >corridor.map
printf 'version 1\n0 corridor.map 4 1 0 0 3 0 3\n0 corridor.map 4 1 2 0 1 0 1\n' >corridor.scen
code=0
"$DIFFLNS" solve -m corridor.map -i corridor.scen -t 5 -q -o plan.json >line || code=$?
sed 's/ seconds=[0-9.]*//' line
[ ! -e plan.json ]
exit $code

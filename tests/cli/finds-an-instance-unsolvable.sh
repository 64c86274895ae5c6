printf 'type octile\nheight 1\nwidth 3\nmap\n...\n' >corridor.map
printf 'version 1\n0\tcorridor.map\t3\t1\t1\t0\t1\t0\t0\n0\tcorridor.map\t3\t1\t0\t0\t2\t0\t2\n' >corridor.scen
"$DIFFLNS" solve -m corridor.map -i corridor.scen -t 5 -o plan.json >line || code=$?
sed 's/seconds=[-0-9.]*/seconds=?/g' line
[ ! -e plan.json ]
exit $code

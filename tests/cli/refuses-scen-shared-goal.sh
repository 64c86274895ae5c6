# Two agents with one goal.
printf 'type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n' >m.map
printf 'version 1\n0 m.map 3 2 0 0 2 0 0\n0 m.map 3 2 1 0 2 0 0\n' >bad.scen
cp "$DATA"/toy.paths .
"$DIFFLNS" check -m m.map -i bad.scen toy.paths

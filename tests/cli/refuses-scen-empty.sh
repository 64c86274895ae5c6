# An empty scenario.
printf 'type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n' >m.map
printf '' >bad.scen
cp "$DATA"/toy.paths .
"$DIFFLNS" check -m m.map -i bad.scen toy.paths

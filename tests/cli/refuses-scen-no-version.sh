# The first line is missing.
printf 'type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n' >m.map
printf '0 m.map 3 2 0 0 2 0 0\n' >bad.scen
cp "$DATA"/toy.paths .
"$DIFFLNS" check -m m.map -i bad.scen toy.paths

# Fewer rows than the header says.
printf 'type octile\nheight 3\nwidth 3\nmap\n...\n...\n' >bad.map
cp "$DATA"/toy.scen "$DATA"/toy.paths .
"$DIFFLNS" check -m bad.map -i toy.scen toy.paths

# A byte that cannot be printed.
printf 'type octile\nheight 2\nwidth 3\nmap\n...\n.\001.\n' >bad.map
cp "$DATA"/toy.scen "$DATA"/toy.paths .
"$DIFFLNS" check -m bad.map -i toy.scen toy.paths

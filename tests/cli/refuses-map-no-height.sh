# The header has its lines in another order.
printf 'type octile\nwidth 3\nheight 2\nmap\n...\n...\n' >bad.map
cp "$DATA"/toy.scen "$DATA"/toy.paths .
"$DIFFLNS" check -m bad.map -i toy.scen toy.paths

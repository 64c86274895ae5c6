# The height is not a number.
printf 'type octile\nheight two\nwidth 3\nmap\n...\n...\n' >bad.map
cp "$DATA"/toy.scen "$DATA"/toy.paths .
"$DIFFLNS" check -m bad.map -i toy.scen toy.paths

# The height is out of range.
printf 'type octile\nheight 0\nwidth 3\nmap\n' >bad.map
cp "$DATA"/toy.scen "$DATA"/toy.paths .
"$DIFFLNS" check -m bad.map -i toy.scen toy.paths

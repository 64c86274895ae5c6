"$DIFFLNS" convert -m "$DATA"/toy.map -i "$DATA"/toy.scen "$DATA"/toy.paths --format dependencies -o out.json
sed 's/difflns [0-9]*\.[0-9]*\.[0-9]*/difflns X.Y.Z/' out.json
# A full ring turns as one.
printf 'type octile\nheight 2\nwidth 2\nmap\n..\n..\n' >ring.map
printf 'version 1\n0 ring.map 2 2 0 0 1 0 1\n0 ring.map 2 2 1 0 1 1 1\n0 ring.map 2 2 1 1 0 1 1\n0 ring.map 2 2 0 1 0 0 1\n' >ring.scen
printf 'wr\nwd\nwl\nwu\n' >ring.plan
"$DIFFLNS" convert -m ring.map -i ring.scen ring.plan --format dependencies -o - | tail -n +2

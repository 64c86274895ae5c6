cp "$DATA"/toy.* .
"$DIFFLNS" view -m toy.map -i toy.scen toy.paths -o nowhere/page.html

# A scenario given as map.
cp "$DATA"/toy.scen "$DATA"/toy.paths .
"$DIFFLNS" check -m toy.scen -i toy.scen toy.paths

# A map given as scenario.
cp "$DATA"/toy.map "$DATA"/toy.paths .
"$DIFFLNS" check -m toy.map -i toy.map toy.paths

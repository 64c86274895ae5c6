# A list that is never closed.
cp "$DATA"/toy* .
printf 'toy: [1, 2\nx: 3\n' >bad.yaml
"$DIFFLNS" check -m bad.yaml -i toy.scen toy.paths

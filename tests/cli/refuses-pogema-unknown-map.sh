# No map of that name.
cp "$DATA"/toy* .
"$DIFFLNS" check -m toy-maps.yaml --map-name nowhere -i toy.scen toy.paths

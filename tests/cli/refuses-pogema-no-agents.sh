# No scenario, and no letters on the map.
cp "$DATA"/toy* .
"$DIFFLNS" check -m toy-maps.yaml --map-name toy toy.paths

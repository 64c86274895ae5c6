# A choice where there is none.
cp "$DATA"/toy* .
"$DIFFLNS" check -m toy.map --map-name toy -i toy.scen toy.paths

# A map that is not there.
"$DIFFLNS" check -m nowhere.map -i "$DATA"/toy.scen "$DATA"/toy.paths

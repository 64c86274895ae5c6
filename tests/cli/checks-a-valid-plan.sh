"$DIFFLNS" check -m "$DATA"/toy.map -i "$DATA"/toy.scen "$DATA"/toy.paths

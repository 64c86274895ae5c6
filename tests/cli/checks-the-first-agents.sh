# Three paths for two agents.
"$DIFFLNS" check -m "$DATA"/toy.map -i "$DATA"/toy.scen -N 2 "$DATA"/toy.paths

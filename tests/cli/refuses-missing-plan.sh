# A plan that is not there.
"$DIFFLNS" check -m "$DATA"/toy.map -i "$DATA"/toy.scen nowhere.json

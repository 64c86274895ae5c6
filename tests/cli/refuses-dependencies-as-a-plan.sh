"$DIFFLNS" convert -m "$DATA"/toy.map -i "$DATA"/toy.scen "$DATA"/toy.paths --format dependencies -o out.json
"$DIFFLNS" check -m "$DATA"/toy.map -i "$DATA"/toy.scen out.json

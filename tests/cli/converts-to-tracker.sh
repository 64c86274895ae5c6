"$DIFFLNS" convert -m "$DATA"/toy.map -i "$DATA"/toy.scen "$DATA"/toy.paths --format tracker -o plan
cat plan
"$DIFFLNS" check -m "$DATA"/toy.map -i "$DATA"/toy.scen plan

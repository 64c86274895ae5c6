"$DIFFLNS" view -m "$DATA"/toy.map -i "$DATA"/toy.scen "$DATA"/toy.paths "$DATA"/toy.paths -o moment.svg

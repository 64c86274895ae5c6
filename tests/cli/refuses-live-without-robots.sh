"$DIFFLNS" live -m "$DATA"/toy.map

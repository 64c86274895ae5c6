"$DIFFLNS" live -m "$DATA"/toy.map -N 5000

"$DIFFLNS" check -m "$DATA"/toy.map -i "$DATA"/toy.scen "$DATA"/toy.result.zst
"$DIFFLNS" check -m "$DATA"/toy.map -i "$DATA"/toy.scen - <"$DATA"/toy.result.zst

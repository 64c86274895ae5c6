"$DIFFLNS" solve -m "$DATA"/toy.map -i "$DATA"/toy.scen --init-plan some.json

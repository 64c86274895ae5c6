# The folder of the output does not exist.
"$DIFFLNS" convert -m "$DATA"/toy.map -i "$DATA"/toy.scen "$DATA"/toy.paths -o nowhere/out.json

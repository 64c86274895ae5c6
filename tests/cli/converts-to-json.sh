"$DIFFLNS" convert -m "$DATA"/toy.map -i "$DATA"/toy.scen "$DATA"/toy.paths --format json -o plan
sed 's/difflns [0-9]*\.[0-9]*\.[0-9]*/difflns X.Y.Z/' plan
"$DIFFLNS" check -m "$DATA"/toy.map -i "$DATA"/toy.scen plan

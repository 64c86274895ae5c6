"$DIFFLNS" convert -m "$DATA"/toy.map -i "$DATA"/toy.scen --out-map maps.yaml --out-scen scenario.yaml
cat maps.yaml scenario.yaml
"$DIFFLNS" check -m maps.yaml -i scenario.yaml "$DATA"/toy.paths

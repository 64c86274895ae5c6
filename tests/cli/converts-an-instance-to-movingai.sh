"$DIFFLNS" convert -m "$DATA"/toy-maps.yaml -i "$DATA"/toy-scenarios.yaml --scenario Scenario-000 \
    --out-map toy.map --out-scen toy.scen
cat toy.map toy.scen
"$DIFFLNS" check -m toy.map -i toy.scen "$DATA"/toy.paths

"$DIFFLNS" check -m "$DATA"/toy-maps.yaml -i "$DATA"/toy-scenarios.yaml --scenario Scenario-000 "$DATA"/toy.paths

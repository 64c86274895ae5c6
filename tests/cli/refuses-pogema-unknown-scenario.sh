# No scenario of that name.
cp "$DATA"/toy* .
"$DIFFLNS" check -m toy-maps.yaml -i toy-scenarios.yaml --scenario Scenario-007 toy.paths

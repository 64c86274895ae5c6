# Which of the two?
cp "$DATA"/toy* .
"$DIFFLNS" check -m toy-maps.yaml -i toy-scenarios.yaml toy.paths

# Several goals for an agent: not this problem.
cp "$DATA"/toy* .
printf 'agents_xy: [[0, 0]]\ntargets_xy: [[[0, 1], [0, 2]]]\n' >bad.yaml
"$DIFFLNS" check -m toy.map -i bad.yaml toy.paths

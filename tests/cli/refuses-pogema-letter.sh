# A letter POGEMA does not know.
cp "$DATA"/toy* .
printf 'toy: |-\n  .....\n  .#?#.\n' >bad.yaml
"$DIFFLNS" check -m bad.yaml -i toy.scen toy.paths

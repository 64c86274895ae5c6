# A folder can be opened but not read.
mkdir folder
"$DIFFLNS" check -m folder -i "$DATA"/toy.scen "$DATA"/toy.paths

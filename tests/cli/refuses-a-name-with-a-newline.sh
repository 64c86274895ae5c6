# A message is one line, whatever the file is called.
"$DIFFLNS" check -m 'no
where.map' -i "$DATA"/toy.scen "$DATA"/toy.paths

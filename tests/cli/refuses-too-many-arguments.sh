"$DIFFLNS" check -m m.map -i m.scen one.json two.json

"$DIFFLNS" check -m m.map -i m.scen

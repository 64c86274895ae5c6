"$DIFFLNS" check -i m.scen plan.json

"$DIFFLNS" check -N -1 plan.json

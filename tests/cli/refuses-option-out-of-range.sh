"$DIFFLNS" check -N 65535 plan.json

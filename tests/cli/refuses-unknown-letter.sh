"$DIFFLNS" check -x plan.json

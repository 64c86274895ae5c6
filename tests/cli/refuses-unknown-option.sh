"$DIFFLNS" check --frobnicate plan.json

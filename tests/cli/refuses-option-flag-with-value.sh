"$DIFFLNS" check --quiet=yes plan.json

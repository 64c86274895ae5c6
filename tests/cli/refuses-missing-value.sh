"$DIFFLNS" check plan.json -m

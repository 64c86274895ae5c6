"$DIFFLNS" check -N many plan.json

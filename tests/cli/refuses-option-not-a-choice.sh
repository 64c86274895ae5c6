"$DIFFLNS" convert --format xml plan.json -o out.json

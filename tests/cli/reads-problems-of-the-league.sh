# 2023: one errand a task; 2024: several. A goal is nobody else's, so the second task at cell 4 is passed over.
for year in 2023 2024; do
    "$DIFFLNS" convert -m "$DATA/league/toy-$year.json" --out-scen toy.scen --out-map toy.map
    cut -f 5-8 toy.scen
    "$DIFFLNS" solve -m "$DATA/league/toy-$year.json" --stop first -o plan.json -q | cut -d ' ' -f 1,2
    "$DIFFLNS" check -m "$DATA/league/toy-$year.json" plan.json | cut -d ' ' -f 1
done
sed 1,4d toy.map

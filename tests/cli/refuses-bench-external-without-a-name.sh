"$DIFFLNS" bench main --external "solver {map} {scen} {output}" -o out

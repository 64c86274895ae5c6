"$DIFFLNS" bench main --external "mine=solver {map} {output}" -o out

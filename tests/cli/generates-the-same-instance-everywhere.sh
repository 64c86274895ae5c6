# Pinned: a change of these bytes changes every seeded result.
"$DIFFLNS" generate small-random -N 4 --seed 3 --count 2 --out new/folder
cat new/folder/small-random-4-3.map new/folder/small-random-4-3.scen

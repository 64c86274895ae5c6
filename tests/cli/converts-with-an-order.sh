# The same text in either order; the one start lies on the diagonal.
printf 'version 1\n0 toy.map 5 4 2 2 3 3 0\n' >one.scen
printf 'Agent 0:(2,2)->(2,3)->(3,3)->\n' >plan
"$DIFFLNS" check -m "$DATA"/toy.map -i one.scen --order rowcol plan
"$DIFFLNS" check -m "$DATA"/toy.map -i one.scen --order colrow plan

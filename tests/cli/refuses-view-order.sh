# The starts fit both orders; --order settles it.
printf 'version 1\n0 toy.map 5 4 2 2 3 3 0\n' >one.scen
printf 'Agent 0:(2,2)->(2,3)->(3,3)->\n' >plan
"$DIFFLNS" view -m "$DATA"/toy.map -i one.scen plan --order rowcol -q -o right.html
test -s right.html
code=0
"$DIFFLNS" view -m "$DATA"/toy.map -i one.scen plan -o out.html || code=$?
ls
exit $code

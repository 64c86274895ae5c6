cp "$DATA"/toy.map "$DATA"/toy.scen .
code=0
"$DIFFLNS" train -o model || code=$?
"$DIFFLNS" train --data nothing-here || code=$?
"$DIFFLNS" train --data nothing-here -o model || code=$?
"$DIFFLNS" train --data toy.map -o model || code=$?
[ ! -e model ]
exit $code

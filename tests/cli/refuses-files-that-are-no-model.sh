cp "$DATA"/toy.map "$DATA"/toy.scen .
code=0
"$DIFFLNS" info nothing-here || code=$?
"$DIFFLNS" info toy.map || code=$?
"$DIFFLNS" sample -m toy.map -i toy.scen || code=$?
"$DIFFLNS" sample -m toy.map -i toy.scen --model toy.scen || code=$?
exit $code

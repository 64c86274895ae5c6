# A JSON plan with something else where a cell should be. Nothing may be left behind.
cp "$DATA"/toy.* .
echo '{"format": "difflns-plan", "version": 1, "paths": [[[0,0],[0,"1"]]]}' >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

# A JSON plan of a later version. Nothing may be left behind.
cp "$DATA"/toy.* .
echo '{"format": "difflns-plan", "version": 2, "paths": []}' >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

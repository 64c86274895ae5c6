# JSON, but not a plan. Nothing may be left behind.
cp "$DATA"/toy.* .
echo '{"hello": "world"}' >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

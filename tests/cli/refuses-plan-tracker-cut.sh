# A tracker plan cut short. Nothing may be left behind.
cp "$DATA"/toy.* .
"$DIFFLNS" convert -m toy.map -i toy.scen toy.paths --format tracker -o whole
head -c 90 whole >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

# A result file that lacks its last lines. Nothing may be left behind.
cp "$DATA"/toy.* .
"$DIFFLNS" convert -m toy.map -i toy.scen toy.paths --format result -o whole
head -n 17 whole >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

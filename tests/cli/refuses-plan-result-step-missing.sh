# A result file without the second time step. Nothing may be left behind.
cp "$DATA"/toy.* .
"$DIFFLNS" convert -m toy.map -i toy.scen toy.paths --format result -o whole
sed "/^1:/d" whole >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

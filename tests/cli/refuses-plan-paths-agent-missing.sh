# Path text without the second agent. Nothing may be left behind.
cp "$DATA"/toy.* .
sed 2d toy.paths >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

# Path text cut within a cell. Nothing may be left behind.
cp "$DATA"/toy.* .
head -c 60 toy.paths >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

# A compressed plan cut short. Nothing may be left behind.
cp "$DATA"/toy.* .
head -c 90 "$DATA"/toy.result.zst >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

# A compressed plan with a damaged byte. Nothing may be left behind.
cp "$DATA"/toy.* .
head -c 60 "$DATA"/toy.result.zst >bad.plan
printf 'XXXX' >>bad.plan
tail -c +65 "$DATA"/toy.result.zst >>bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

# A table without plans. Nothing may be left behind.
cp "$DATA"/toy.* .
printf 'city,country\nParis,France\n' >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

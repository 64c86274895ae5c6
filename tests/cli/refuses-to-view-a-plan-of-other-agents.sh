# Nothing may be left behind.
cp "$DATA"/toy.* .
code=0
"$DIFFLNS" view -m toy.map -i toy.scen -N 2 toy.result.zst -o page.html || code=$?
ls | grep '^page' || exit $code

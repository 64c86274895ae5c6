# The page says what it holds and asks no network for anything.
cp "$DATA"/toy.* .
"$DIFFLNS" view -m toy.map -i toy.scen toy.paths toy.result.zst -o page.html
ls
grep -c '</html>' page.html
sed -n '/id="data"/,/script>/p' page.html | grep -oE '"@[^"]*"|"title":"[^"]*"'
grep -oE '(src|href)="https?:[^"]*"' page.html || true

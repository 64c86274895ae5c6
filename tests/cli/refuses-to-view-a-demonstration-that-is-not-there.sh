"$DIFFLNS" expert --families room -N 8 --count 2 --iterations 10 --quiet -o demos >/dev/null
"$DIFFLNS" view --demos demos --index 2 -o page.html

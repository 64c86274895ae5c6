"$DIFFLNS" expert --families room -N 8 --count 4 --iterations 10 --quiet -o demos >/dev/null
"$DIFFLNS" view --demos demos --index 3 -o page.html && grep -c '</html>' page.html
truncate -s -5 demos
"$DIFFLNS" view --demos demos --index 2 -o damaged.html && grep -oE '"title":"room, 8 agents' damaged.html
code=0
"$DIFFLNS" view --demos demos --index 3 -o none.html 2>message || code=$?
sed 's/byte [0-9]*/byte B/' message >&2
exit $code

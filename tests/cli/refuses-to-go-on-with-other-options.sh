"$DIFFLNS" expert --families room -N 8 --count 2 --iterations 10 --quiet -o demos >/dev/null
code=0
"$DIFFLNS" expert --families room -N 8 --count 2 --iterations 11 --quiet -o demos 2>message || code=$?
sed 's/"version": "[^"]*"/"version": "V"/' message >&2
exit $code

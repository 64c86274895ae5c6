# A plan that is not there. Nothing may be left behind.
code=0
"$DIFFLNS" view -m "$DATA"/toy.map -i "$DATA"/toy.scen nowhere.json -o out.html || code=$?
ls
exit $code

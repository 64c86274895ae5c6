# Where to? Nothing may be left behind.
code=0
"$DIFFLNS" view -m "$DATA"/toy.map -i "$DATA"/toy.scen "$DATA"/toy.paths || code=$?
ls
exit $code

# The folder of the page does not exist. Nothing may be left behind.
code=0
"$DIFFLNS" view -m "$DATA"/toy.map -i "$DATA"/toy.scen "$DATA"/toy.paths -o nowhere/out.html || code=$?
ls
exit $code

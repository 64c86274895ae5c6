# A scenario that is not there is never invented.
code=0
"$DIFFLNS" check -m "$DATA"/toy.map -i nowhere.scen "$DATA"/toy.paths || code=$?
ls
exit $code

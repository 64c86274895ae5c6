# More agents than free cells. Nothing may be left behind.
code=0
"$DIFFLNS" generate random -N 5000 || code=$?
ls
exit $code

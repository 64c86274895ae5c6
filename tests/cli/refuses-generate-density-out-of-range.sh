# A share beyond the whole. Nothing may be left behind.
code=0
"$DIFFLNS" generate random -N 10 --density 1.5 || code=$?
ls
exit $code

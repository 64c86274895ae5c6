# A family we do not have. Nothing may be left behind.
code=0
"$DIFFLNS" generate labyrinth -N 10 || code=$?
ls
exit $code

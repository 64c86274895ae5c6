# How many agents? Nothing may be left behind.
code=0
"$DIFFLNS" generate maze || code=$?
ls
exit $code

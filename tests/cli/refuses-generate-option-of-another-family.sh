# Rooms on a random map. Nothing may be left behind.
code=0
"$DIFFLNS" generate random -N 10 --room-size 5 || code=$?
ls
exit $code

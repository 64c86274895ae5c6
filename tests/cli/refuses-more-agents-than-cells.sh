code=0
"$DIFFLNS" generate medium-room -N 361 --out folder || code=$?
ls
exit $code

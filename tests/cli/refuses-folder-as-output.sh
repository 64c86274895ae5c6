# The output is a folder; the temporary beside it must go.
mkdir out
code=0
"$DIFFLNS" convert -m "$DATA"/toy.map -i "$DATA"/toy.scen "$DATA"/toy.paths -o out || code=$?
ls
exit $code

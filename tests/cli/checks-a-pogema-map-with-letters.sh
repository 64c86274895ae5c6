printf 'drr\nrrruu\n' >plan
code=0
"$DIFFLNS" check -m "$DATA"/toy-maps.yaml --map-name letters plan || code=$?
printf 'rrrdd\nrrruu\n' >plan
"$DIFFLNS" check -m "$DATA"/toy-maps.yaml --map-name letters plan || code=$?
exit $code

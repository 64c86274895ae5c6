# Path text with a damaged arrow. Nothing may be left behind.
cp "$DATA"/toy.* .
sed "2s/->(2,3)/=>(2,3)/" toy.paths >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

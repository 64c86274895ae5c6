# A tracker table cut within a plan. Nothing may be left behind.
cp "$DATA"/toy.* .
printf 'agents,path\n3,"4r\n2d' >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

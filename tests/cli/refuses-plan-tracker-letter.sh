# A tracker plan with an unknown letter. Nothing may be left behind.
cp "$DATA"/toy.* .
printf '{"agents":3,"solution_plan":"4r\\n2d4x\\nrd"}' >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

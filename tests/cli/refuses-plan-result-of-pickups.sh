# A result file of pickup and delivery. Nothing may be left behind.
cp "$DATA"/toy.* .
printf 'agents=1\nsolution=\n0:(0,0)->(1,0):3,\n' >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

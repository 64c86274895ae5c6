# A result file without a plan. Nothing may be left behind.
cp "$DATA"/toy.* .
printf 'agents=3\nsolver=lacam\nsolved=0\nsolution=\n' >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

# The starts fit both orders. Nothing may be left behind.
cp "$DATA"/toy.* .
printf 'version 1\n0\ttoy.map\t5\t4\t0\t0\t4\t0\t4\n' >toy.scen
head -n 1 toy.paths >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

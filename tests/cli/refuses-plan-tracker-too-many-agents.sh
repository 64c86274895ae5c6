# More strings than agents. Nothing may be left behind.
cp "$DATA"/toy.* .
printf '4r\n2d4l\nrd\nw\n' >bad.plan
code=0
"$DIFFLNS" convert -m toy.map -i toy.scen bad.plan -o out.json || code=$?
ls | grep '^out' || exit $code

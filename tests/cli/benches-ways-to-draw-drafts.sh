# What does not depend on the machine is the same again.
bench() { "$DIFFLNS" bench drafts --settings small-random:45 --cases 1 --iterations 2000 --methods likeliest,drawn,tokens --out $1 -q | cut -c1-13; }
bench one
bench two >/dev/null
head -1 one/results.csv
cut -d, -f1-7,9-12 one/results.csv >a
cut -d, -f1-7,9-12 two/results.csv >b
cmp a b && cut -d, -f1,2,4 one/results.csv
"$DIFFLNS" bench drafts --methods likeliest,best

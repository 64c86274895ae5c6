# Ours is listened to, another solver runs once for each limit; a folder of instances joins the generated ones.
mkdir standard
"$DIFFLNS" generate small-random -N 20 --seed 4 --out standard -q >/dev/null
"$DIFFLNS" bench anytime --settings small-random:30 --instances standard --time-scale 0.01 --threads 1 -q -o out \
    --external 'other=$DIFFLNS solve -m {map} -i {scen} -N {agents} -t {limit} -s {seed} --stop first -q -o {output}' >table
cut -d, -f1-4 out/results.csv
head -1 out/curves.csv
awk -F, 'NR > 1 && $5 != "" && $6 != "" && $5 + 0 < $6 + 0 { print "odd: " $0 }' out/results.csv
grep -c '^small-random' table
grep -o 'cost over ours, geometric mean *other' table | tr -s ' '
grep -c 'Cost over time' out/report.html
grep -iE '>(nan|-1)<' out/report.html || echo 'no number is missing without a dash'
grep -o 'href="[^"]*"' out/report.html | cut -d'"' -f2 | while read -r file; do test -s "out/$file" || echo "dead link: $file"; done

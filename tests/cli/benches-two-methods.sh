# A tiny experiment writes its files; timing decides nothing here, so only what does not depend on it is shown.
"$DIFFLNS" bench main --cases 1 --settings small-random:45 --time-scale 0.01 --methods lns2,lacam --threads 1 -q -o out >table
ls out | grep -v '\.p[nd][gf]$'
head -1 out/results.csv
cut -d, -f1-5 out/results.csv | tail -n +2
cut -d, -f1-4,33,34,35 out/summary.csv
head -1 table | cut -c1-37
grep -c '<table>' out/report.html
python3 -c 'import json; b = json.load(open("out/bench.json")); print(b["experiment"], len(b["results"]), b["results"][0]["agents"], len(b["pairs"]))'
grep -iE '>(nan|-1)<' out/report.html || echo 'no number is missing without a dash'
# Every link of the report leads to a file.
grep -o 'href="[^"]*"' out/report.html | cut -d'"' -f2 | while read -r file; do test -s "out/$file" || echo "dead link: $file"; done

"$DIFFLNS" bench live --settings small-random --cases 1 --iterations 3 --time-scale 0.01 --out out -q | cut -c1-34
head -n 1 out/results.csv
wc -l <out/results.csv
test -s out/report.html

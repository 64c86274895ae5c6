# A moment of each: what is told, and in which files.
"$DIFFLNS" bench redraft --cases 1 --time-scale 0.01 --settings small-random:45 --threads 1 -q -o out | cut -c1-47
ls out | grep -v '\.p[nd][gf]$'
head -1 out/pairs.csv
cut -d, -f1-5 out/pairs.csv | tail -4

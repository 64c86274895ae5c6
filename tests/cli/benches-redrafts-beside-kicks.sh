# A moment of each: what is told, and in which files.
"$DIFFLNS" bench redraft --cases 1 --time-scale 0.01 --settings small-random:45 --threads 1 -q -o out | cut -c1-47
ls out | grep -v '\.p[nd][gf]$'
head -1 out/pairs.csv
cut -d, -f1-5 out/pairs.csv | tail -4
# Stopped inside a run, it says so; the same command goes on.
"$DIFFLNS" bench redraft --cases 2 --time-scale 10000 --settings small-random:45 --methods kicks --threads 1 -q -o long &
while [ ! -e long/results.csv ]; do sleep 0.02; done
kill -TERM $!
wait $! || echo "exit $?"

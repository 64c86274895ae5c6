"$DIFFLNS" bench live --settings small-random --methods windowed --cases 1 --iterations 3 --out out -q | cut -c1-34 | tail -n 2
cut -d, -f1,2 out/results.csv | tail -n 1
"$DIFFLNS" bench live --methods windowed,none --out out -q

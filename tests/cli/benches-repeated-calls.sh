"$DIFFLNS" bench calls -t 0.01 --out . -q | cut -c1-15
cut -d, -f1,2 results.csv

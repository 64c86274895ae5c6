"$DIFFLNS" bench repair --iterations 5 --cases 1 --out . | cut -c1-18
cut -d, -f1-4 results.csv

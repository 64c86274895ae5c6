mkdir out
echo "dear diary" >out/results.csv
code=0
"$DIFFLNS" bench main --cases 1 --settings small-random:45 --methods lns2 -o out || code=$?
cat out/results.csv
exit $code

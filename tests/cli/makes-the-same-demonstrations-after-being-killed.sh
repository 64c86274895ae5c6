# kill -9 at arbitrary moments; going on ends in the same bytes as never having been killed.
small="expert --families room,maze -N 16,32 --count 60 --iterations 300 --seed 3 --threads 2 --quiet"
"$DIFFLNS" $small -o once >/dev/null
for pause in 0.05 0.11 0.17 0.23; do
    "$DIFFLNS" $small -o pieces >/dev/null &
    sleep $pause
    kill -9 $! 2>/dev/null || true
    wait $! 2>/dev/null || true
done
"$DIFFLNS" $small -o pieces | grep -oE 'demonstrations=60 unsolved=0'
cmp once pieces

"$DIFFLNS" generate random -N 3 --height 4 --width 6 --density 0.25 --out . --placement disjoint
"$DIFFLNS" generate maze -N 3 --height 9 --width 11 --density 0.5 --wall-length 2 --straightness 0.6 --connected 1 --out .
"$DIFFLNS" generate room -N 3 --height 9 --width 9 --room-size 3 --least-doors 10 --most-doors 12 --out .
"$DIFFLNS" generate warehouse -N 3 --shelf-height 1 --shelf-width 2 --shelf-rows 2 --shelf-columns 3 --row-gap 1 \
    --column-gap 1 --end-strip 0 --side-strip 2 --out .
cat ./*.map

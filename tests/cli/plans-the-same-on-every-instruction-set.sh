# Repair and improvement on boards of one vector, of several, and of rows longer than a word.
"$DIFFLNS" generate small-random -N 50 -s 1 >/dev/null
"$DIFFLNS" generate medium-room -N 120 -s 1 >/dev/null
"$DIFFLNS" generate random -N 200 -s 1 --height 70 --width 90 >/dev/null
for map in *.map; do
    for isa in baseline avx2 avx512; do
        DIFFLNS_ISA=$isa "$DIFFLNS" solve -m "$map" -i "${map%.map}.scen" --init pp --anytime --iterations 3000 -t 60 -s 3 -q \
            -o "$isa.json" | sed 's/ .*//'
    done
    cmp baseline.json avx2.json
    cmp baseline.json avx512.json
done

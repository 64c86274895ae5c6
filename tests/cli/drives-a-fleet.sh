# With iterations instead of a deadline a run is repeatable to the byte; times differ from run to run.
cat >tasks <<END
# tick robot row col, or tick row col for any free robot
0 0 3 3
0 1 0 0
2 2 2
5 0 0 4
END
for run in 1 2; do
    "$DIFFLNS" live -m "$DATA"/toy.map -N 4 --ticks 60 --iterations 20 --delay 0.1 --page page$run.html --report report.json --quiet |
        sed 's/plan_ms_p\([0-9]*\)=[0-9.]*/plan_ms_p\1=?/g'
done
cmp page1.html page2.html
grep -c '"tick"' report.json
"$DIFFLNS" live -m "$DATA"/toy.map -N 3 --ticks 40 --tasks tasks --iterations 20 --quiet | sed 's/plan_ms_p\([0-9]*\)=[0-9.]*/plan_ms_p\1=?/g'
"$DIFFLNS" live -m "$DATA"/toy.map -N 3 --ticks 40 --deadline 0 --quiet | sed 's/.* late=[0-9]* /late=? /'
# The report has what was used and how plans kept time, by the clock on the wall and by the processor.
"$DIFFLNS" live -m "$DATA"/toy.map -N 4 --ticks 30 --deadline 100000 --report report.json --quiet >/dev/null
grep -o '"window": *[0-9]*\|"never_reached": *[0-9]*\|"wall_ms": \|"cpu_ms": *{\|"overrun_max": *[0-9.]*' report.json

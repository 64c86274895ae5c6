# A log that follows a power law exactly gets its exponent back; partial epochs and torn lines do not count.
awk 'BEGIN {
    for (i = 1; i <= 8; i++) {
        total = 1000 * 2 ^ i
        printf "{\"epoch\": %d, \"aux\": %.12g, \"epoch_seconds\": 1, \"tokens_per_second\": %d", i, 2 * total ^ -0.1, total - before
        if (i % 4 == 0) printf ", \"validation\": {\"drafts\": {\"pairs_per_agent\": %g, \"improved_over_expert\": 1.25}}", 8 / i
        print "}"
        before = total
    }
    print "{\"epoch\": 9, \"partial\": true, \"aux\": 9, \"epoch_seconds\": 1, \"tokens_per_second\": 1}"
    printf "{\"epoch\": 9, \"au"
}' >small.model.jsonl
"$DIFFLNS" bench learning --log small.model.jsonl -o out && cat out/results.csv out/summary.csv && ls out/report.html
"$DIFFLNS" bench learning || echo "exit $?"
echo nothing >empty.jsonl
"$DIFFLNS" bench learning --log empty.jsonl -o none || echo "exit $?"
[ -e none ] || echo "nothing written"

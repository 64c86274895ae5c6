# A command that is not there is no solver that solves nothing.
bench() {
    "$DIFFLNS" bench main --cases 1 --settings small-random:45 --time-scale 0.01 --methods '' --threads 1 -q -o "$@"
}
bench out --external 'gone=no-such-solver {map} {scen} {output}' || echo "exit $?"
touch plain
bench out --external 'plain=./plain {map} {scen} {output}' || echo "exit $?"
cat out/results.csv

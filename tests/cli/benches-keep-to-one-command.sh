# The runs of one name are made by one command, or the experiment is not continued.
bench() {
    "$DIFFLNS" bench main --cases 2 --settings small-random:45 --time-scale 0.01 --methods '' --threads 1 -q -o out \
        --external "$1"
}
bench 'idle=: {map} {scen} {output}' >/dev/null
bench 'idle=: {map} {scen} {output}' >/dev/null && echo "the same command goes on"
bench 'idle=: {scen} {map} {output}' || echo "exit $?"
rm out/idle.command
bench 'idle=: {map} {scen} {output}' || echo "exit $?"

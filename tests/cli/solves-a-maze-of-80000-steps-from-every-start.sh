# A corridor folded into 401 rows: distances need more than 16 bits. Two agents follow each other from end to end.
awk 'BEGIN {
    side = 401; print "type octile\nheight " side "\nwidth " side "\nmap"
    for (row = 0; row < side; row++) {
        line = ""
        for (col = 0; col < side; col++)
            line = line (row % 2 == 0 || col == (row % 4 == 1 ? side - 1 : 0) ? "." : "@")
        print line
    }
}' > maze.map
printf 'version 1\n0\tmaze.map\t401\t401\t0\t0\t20\t400\t0\n0\tmaze.map\t401\t401\t5\t0\t30\t400\t0\n' > maze.scen
for init in auto pp pibt slack paths lacam plan diffusion; do
    options=""
    [ $init = plan ] && cp plan.json given.json && options="--init-plan given.json"
    [ $init = diffusion ] && options="--candidates 1 --rounds 1 --steps 1 --horizon 16"
    # shellcheck disable=SC2086
    "$DIFFLNS" solve -m maze.map -i maze.scen --init $init $options --iterations 2000000 -q -o plan.json | cut -d' ' -f1-3
done
"$DIFFLNS" check -m maze.map -i maze.scen plan.json

# The second writer is told so and changes nothing.
small=width=16,condition_width=16,heads=2,layers=1,feed_forward=16,pyramid_width=4,horizon=16,batch=2,epoch_batches=2
expert="expert --families random -N 8 --iterations 5 --threads 1 -q -o demos --count"
train="train --data made --threads 1 -q --set $small -o model --epochs"
bench="bench main --settings small-random:45 --methods lns2 --threads 1 -q -o out --cases"
# second COMMAND BEGUN LOCKED: runs the command while another one is at work, which is so once the file BEGUN has grown.
second() {
    rm -f log
    "$DIFFLNS" $1 1000000 >log 2>&1 &
    while ! test -s "$2"; do sleep 0.05; done
    "$DIFFLNS" $1 4 || echo "exit $?"
    kill $!
    wait $! || echo "the first one ended with $?"
    test ! -e "$3.lock" && echo "no lock is left"
}
"$DIFFLNS" $expert 4 | cut -d' ' -f1,2
mv demos made
second "$expert" demos demos
second "$train" log model
second "$bench" out/results.csv out/results.csv

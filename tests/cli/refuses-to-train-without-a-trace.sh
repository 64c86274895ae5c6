# A training that is refused leaves the log of an earlier one alone and begins none.
"$DIFFLNS" expert --families random -N 8 --count 4 --iterations 5 --threads 1 -o demos -q >/dev/null
small=width=16,condition_width=16,heads=2,layers=1,feed_forward=16,pyramid_width=4,horizon=16,batch=2,epoch_batches=2
train() {
    "$DIFFLNS" train --data demos --epochs 1 --threads 1 -q "$@"
}
train -o small --set "$small" >/dev/null
echo "a line of an earlier run" >model.jsonl
before=$(ls)
train -o model --start small || echo "exit $?"
train -o model --resume || echo "exit $?"
train -o other --resume || echo "exit $?"
train -o other --start demos || echo "exit $?"
train -o missing/model || echo "exit $?"
cat model.jsonl
test "$before" = "$(ls)" && echo "nothing new"

# Killed after an epoch was logged and before it was saved; then before it was drawn.
"$DIFFLNS" expert --families random -N 4 --count 12 --iterations 5 --threads 1 -o demos -q >/dev/null
small=width=16,condition_width=16,heads=2,layers=1,feed_forward=16,pyramid_width=4,horizon=16,batch=4,epoch_batches=3
train() {
    "$DIFFLNS" train --data demos -o model --set $small --threads 1 -q --epochs "$@" >/dev/null
}
train 2
cp model.state saved
cp model.svg drawn
train 3 --resume
cp saved model.state
mv drawn model.svg
cp model.svg before
train 2 --resume
cmp before model.svg
grep -o '"epoch": [0-9]*' model.jsonl
train 3 --resume
grep -o '"epoch": [0-9]*' model.jsonl
cp model.svg whole
cp before model.svg
train 3 --resume
cmp whole model.svg && ! cmp -s before whole && echo "drawn again"

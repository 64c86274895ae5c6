# However short the time: a line, a plot, a model and a state; and resumed, the log is that of one sitting.
"$DIFFLNS" expert --families random -N 12 --count 12 --iterations 5 --threads 1 -o demos -q >/dev/null
train="train --data demos --config toy --set width=16,condition_width=16,heads=2,layers=1,feed_forward=16,pyramid_width=4,horizon=16,batch=2,epoch_batches=4 --threads 1 -q"
"$DIFFLNS" $train --time 0.000001 -o model | grep -o '"partial": true'
ls model*
"$DIFFLNS" $train --resume --epochs 2 -o model >/dev/null
"$DIFFLNS" $train --epochs 2 -o whole >/dev/null
losses() { sed 's/, "learning_rate.*//' "$1"; }
losses model.jsonl >resumed
losses whole.jsonl | cmp - resumed && wc -l <resumed
# On a terminal the bar is gone before a line comes.
script -qec "'$DIFFLNS' $(echo "$train" | sed 's/ -q//') --epochs 3 -o shown" /dev/null </dev/null >screen
tr '\r' '\n' <screen | grep '"epoch"' | grep -vc '^\(.\[K\)*{' || true
tr '\r' '\n' <screen | grep -c '"epoch"'

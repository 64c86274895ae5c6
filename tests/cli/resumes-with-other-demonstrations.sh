# A relay: the next demonstrations are better than the last, what was learned and the optimizer's moments stay.
"$DIFFLNS" expert --families random -N 12 --count 12 --iterations 5 --threads 1 -o demos -q >/dev/null
"$DIFFLNS" expert --families random -N 14 --count 12 --iterations 5 --threads 1 -o others -q >/dev/null
train="train --config toy --set width=16,condition_width=16,heads=2,layers=1,feed_forward=16,pyramid_width=4,horizon=16,batch=2,epoch_batches=2 --threads 1 -q -o model"
"$DIFFLNS" $train --data demos --epochs 1 | sed 's/, "loss".*//'
"$DIFFLNS" $train --data others --epochs 2 --resume || echo "exit $?"
"$DIFFLNS" $train --data others --epochs 2 --resume --other-data | sed 's/, "loss".*//'
"$DIFFLNS" $train --data others --epochs 3 --resume | sed 's/, "loss".*//'

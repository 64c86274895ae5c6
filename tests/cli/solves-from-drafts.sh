# Algorithm 1 with a model of one epoch: every candidate of the round runs, the best is kept; and where a model is missing.
"$DIFFLNS" expert --families random -N 4 --count 12 --iterations 5 --threads 1 -o demos -q >/dev/null
small=width=16,condition_width=16,heads=2,layers=1,feed_forward=16,pyramid_width=4,horizon=16,batch=4,epoch_batches=3
"$DIFFLNS" train --data demos -o model --set $small --epochs 1 --threads 1 -q >/dev/null
"$DIFFLNS" train --data demos -o other --set $small --start model --epochs 1 --threads 1 -q | sed 's/, "loss".*//'
"$DIFFLNS" train --data demos -o third --set $small,layers=2 --start model --epochs 1 --threads 1 -q || echo "exit $?"
"$DIFFLNS" solve -m "$DATA"/toy.map -i "$DATA"/toy.scen --init diffusion --model model --iterations 2000 -o plan.json |
    sed 's/ soc.*init/ init/; s/ iterations.*//'
"$DIFFLNS" check -m "$DATA"/toy.map -i "$DATA"/toy.scen plan.json | sed 's/ soc.*//'
"$DIFFLNS" solve -m "$DATA"/toy.map -i "$DATA"/toy.scen --init auto --model nowhere --iterations 2000 | sed 's/ soc.*init/ init/; s/ cand.*//'
cp "$DATA"/toy.map foreign
"$DIFFLNS" solve -m "$DATA"/toy.map -i "$DATA"/toy.scen --init diffusion --model foreign --iterations 2000

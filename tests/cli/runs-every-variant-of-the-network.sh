# Each variant of the network end to end: trained for one epoch, saved, described, sampled, repaired.
"$DIFFLNS" expert --families random -N 12 --count 12 --iterations 5 --threads 1 -o demos -q >/dev/null
"$DIFFLNS" generate small-random -N 40 --seed 1 -q >/dev/null
on="-m small-random-40-1.map -i small-random-40-1.scen"
small=width=16,condition_width=16,heads=2,layers=1,feed_forward=16,pyramid_width=4,horizon=16,batch=4,epoch_batches=3
# variant SETTINGS OPTIONS...
variant() {
    settings=$1
    shift
    echo "$settings $*"
    rm -f model* plan.json
    "$DIFFLNS" train --data demos -o model --epochs 1 --threads 1 -q --set "$small,$settings" "$@" >/dev/null
    "$DIFFLNS" info model | grep -E '"(attention|trajectory)"' | tr -d '\n'
    echo
    "$DIFFLNS" sample $on --model model --steps 3 --threads 1 -o draft.json | sed -n 's/ conflicts.*horizon.*/ drawn/p'
    "$DIFFLNS" solve $on --model model --steps 3 --init diffusion --candidates 2 --iterations 40000 -o plan.json |
        sed 's/ soc.*init/ init/; s/ iterations.*//'
    "$DIFFLNS" check $on plan.json | sed 's/ soc.*//'
}
variant window=8 --config paper
variant window=8 --config paper --attention dense
variant seed=1 --attention dense
variant trajectory=paper
variant trajectory=paper,cost_to_go=false,occupancy=false

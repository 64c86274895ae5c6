# A whole life of a small model: demonstrations, training in two sittings, drafts, information.
"$DIFFLNS" expert --families random -N 4 --count 12 --iterations 5 --threads 1 -o demos -q >/dev/null
small=width=16,condition_width=16,heads=2,layers=1,feed_forward=16,pyramid_width=4,horizon=16,batch=4,epoch_batches=3
"$DIFFLNS" train --data demos -o model --set $small --epochs 1 --threads 1 -q | sed 's/, "loss".*//'
"$DIFFLNS" train --data demos -o model --set $small --epochs 2 --threads 2 --resume -q | sed 's/, "loss".*//'
wc -l <model.jsonl
head -c 4 model.svg
echo
"$DIFFLNS" info model | grep -E '"(parameters|horizon|steps|demonstrations)"'
"$DIFFLNS" sample -m "$DATA"/toy.map -i "$DATA"/toy.scen --model model --count 2 --steps 3 --trace steps -o drafts.json |
    sed 's/ .*//'
"$DIFFLNS" sample -m "$DATA"/toy.map -i "$DATA"/toy.scen --model model --steps 5 --trace steps >/dev/null # a longer trace leaves nothing
"$DIFFLNS" sample -m "$DATA"/toy.map -i "$DATA"/toy.scen --model model --steps 3 --trace steps >/dev/null
ls drafts-*.json steps
cmp drafts-0.json steps/step-003.json
"$DIFFLNS" view -m "$DATA"/toy.map -i "$DATA"/toy.scen steps -o denoising.html
grep -oE '"layout":"[^"]*"|"title":"Step[^"]*"' denoising.html
"$DIFFLNS" sample -m "$DATA"/toy.map -i "$DATA"/toy.scen --model model --count 2 --steps 3 --threads 1 -o again.json >/dev/null
cmp drafts-1.json again-1.json

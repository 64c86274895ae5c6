#!/bin/sh
# What ./dev demo runs after the build: the shipped network drafts plans for a crowded warehouse, repair removes their
# collisions, and two pages show it.
set -eu
cd "$(dirname "$0")/.."
instance="-m examples/data/warehouse.map -i examples/data/warehouse.scen"
model=models/default.safetensors
page=build/demo.html steps=build/demo-denoising.html

cat <<'END'
252 agents in a warehouse, 62 % of the free cells occupied. The shipped network (models/default.safetensors) drafts
four joint plans, repair removes the collisions of each, and the cheapest result is kept:

END
# shellcheck disable=SC2086
build/difflns solve $instance --init diffusion --model $model -t 120 -o build/demo.json --page $page
echo
echo "The independent checker says:"
# shellcheck disable=SC2086
build/difflns check $instance build/demo.json
# shellcheck disable=SC2086
build/difflns sample $instance --model $model --trace build/demo-steps --quiet >/dev/null
# shellcheck disable=SC2086
build/difflns view $instance build/demo-steps -o $steps
cat <<END

The draft beside the repaired plan:  $PWD/$page
How a draft comes out of the noise:  $PWD/$steps
Open them in a browser: space plays, ? shows all keys.
END

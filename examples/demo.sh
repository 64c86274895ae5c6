#!/bin/sh
# What ./dev demo runs after the build: solves a crowded warehouse and shows the plan as a page.
set -eu
cd "$(dirname "$0")/.."
instance="-m examples/data/warehouse.map -i examples/data/warehouse.scen"
page=build/demo.html

echo "252 agents in a warehouse, 62 % of the free cells occupied: a first plan, then ten seconds of improvement."
# shellcheck disable=SC2086
build/difflns solve $instance -t 10 --anytime -o build/demo.json --page $page
echo "The independent checker says:"
# shellcheck disable=SC2086
build/difflns check $instance build/demo.json
cat <<END

The plan as a page: $PWD/$page
Open it in a browser, press space to play, ? for all keys.
END

#!/bin/sh
# What ./dev demo runs after the build: a crowded instance, checked and shown as a page.
set -eu
cd "$(dirname "$0")/.."
data=examples/data
page=build/demo.html

echo "120 agents in 16 rooms. When each takes its own shortest path, they collide:"
build/difflns check -m $data/rooms.map -i $data/rooms.scen $data/rooms-shortest.json | tail -n 1
echo "A plan without collisions:"
build/difflns check -m $data/rooms.map -i $data/rooms.scen $data/rooms-solved.json
build/difflns view -m $data/rooms.map -i $data/rooms.scen $data/rooms-shortest.json $data/rooms-solved.json -o $page
cat <<END

Both plans, side by side: $PWD/$page
Open it in a browser, press space to play, c for the next collision, ? for all keys.
END

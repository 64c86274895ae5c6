# Nothing that a command reads is overwritten by it, under whatever name; nothing is written at all.
cp "$DATA/toy.map" "$DATA/toy.scen" "$DATA/toy.paths" .
echo model >model
echo demos >demos
ln -s toy.scen link
before=$(cat * | cksum)
refuse() {
    "$DIFFLNS" "$@" 2>&1 || echo "exit $?"
}
refuse solve -m toy.map -i toy.scen -o toy.scen
refuse solve -m toy.map -i toy.scen --report link
refuse solve -m toy.map -i toy.scen -o ./toy.map
refuse solve -m toy.map -i toy.scen -o new --page ./new
refuse solve -m toy.map -i toy.scen --init plan --init-plan toy.paths --page toy.paths
refuse convert -m toy.map -i toy.scen toy.paths -o toy.paths
refuse convert -m toy.map -i toy.scen --out-map link
refuse view -m toy.map -i toy.scen toy.paths -o toy.paths
refuse view --demos demos -o demos
refuse sample -m toy.map -i toy.scen --model model -o model
refuse train --data other,demos -o demos
refuse train --data demos --start model -o model
mkdir out
cp model out/results.csv
ln -s out/results.csv weights
cp toy.map out/step-004.json
before=$(cat * out/* 2>/dev/null | cksum)
refuse bench main --settings small-random:45 --cases 1 --methods difflns --model out/results.csv --out out
refuse bench init --model weights --out ./out
refuse bench attention --model model --model-dense out/results.csv --out out
refuse sample -m out/step-004.json -i toy.scen --model model --trace out
test "$before" = "$(cat * out/* 2>/dev/null | cksum)" && echo "nothing has changed"

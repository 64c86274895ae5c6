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
test "$before" = "$(cat * | cksum)" && echo "nothing has changed"

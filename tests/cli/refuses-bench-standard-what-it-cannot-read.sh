refuse() {
    "$DIFFLNS" bench standard "$@" -q || echo "exit $?"
}
mkdir empty
refuse
refuse empty
refuse nowhere
refuse "$DATA" --scens odd:1
refuse "$DATA" --scens random:3-1
mkdir maps
cp "$DATA/toy.map" maps/toy.map
cp "$DATA/toy.scen" maps/toy-random-1.scen
refuse maps --agents 1000
refuse maps --agents step:0
refuse maps --agents many
refuse maps --settings small-random
"$DIFFLNS" bench main maps -q || echo "exit $?"

# Official maps lie in folders of their own or side by side. Teams grow until a method fails twice in a row; the best
# plans are kept for the tracker; the same command goes on where it was stopped.
"$DIFFLNS" generate small-random -N 30 --seed 4 --out . -q >/dev/null
mkdir -p maps/tiny
for kind in random-1 random-2 even-1; do cp small-random-30-4.scen "maps/tiny/tiny-$kind.scen"; done
cp small-random-30-4.map maps/tiny/tiny.map
cp small-random-30-4.map maps/flat.map
cp small-random-30-4.scen maps/flat-random-1.scen
bench() {
    "$DIFFLNS" bench standard maps -t 0.2 --methods auto-first --threads 1 --out out -q "$@" >table
}
bench --agents step:5 --scens random:1-2 --tracker best \
    --external 'few=test {agents} -le 10 && $DIFFLNS solve -m {map} -i {scen} -N {agents} -t {limit} --stop first -q -o {output}'
cut -d, -f1-4,6 out/standard.csv
head -1 out/standard.csv
ls best | head -3
"$DIFFLNS" check -m maps/tiny/tiny.map -i maps/tiny/tiny-random-2.scen -N 25 best/tiny-random-2-25.json | cut -d' ' -f1
before=$(cksum <out/results.csv)
bench --agents step:5 --scens random:1-2 --tracker best \
    --external 'few=test {agents} -le 10 && $DIFFLNS solve -m {map} -i {scen} -N {agents} -t {limit} --stop first -q -o {output}'
test "$before" = "$(cksum <out/results.csv)" && echo "nothing was run again"
python3 -c 'import json; b = json.load(open("out/bench.json")); print(b["experiment"], len(b["results"]), b["limits"])'
rm -r out
bench --agents max --scens even:1
cut -d, -f1-4,6 out/standard.csv
rm -r out
bench --agents tiny:7,tiny:9 --scens even:1-3
cut -d, -f1-4,6 out/standard.csv

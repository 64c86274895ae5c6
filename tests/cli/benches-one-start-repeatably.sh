# Limits of iterations make `bench init` the same on every machine.
"$DIFFLNS" bench init --cases 1 --settings small-random:50 --iterations 300 --methods pp,paths,slack,pibt --threads 1 -q -o out >/dev/null
"$DIFFLNS" bench init --cases 1 --settings small-random:50 --iterations 300 --methods pp,paths,slack,pibt --threads 2 -q -o again >/dev/null
cut -d, -f1-10,12-14,16 out/results.csv >first
cut -d, -f1-10,12-14,16 again/results.csv | cmp - first && cut -d, -f5 first
cut -d, -f1-4 out/init.csv

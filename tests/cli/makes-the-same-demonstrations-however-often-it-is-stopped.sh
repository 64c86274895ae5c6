# Threads, interruptions and extensions do not change a byte; the card goes beside the file.
small="--families room,maze -N 8,16 --iterations 20 --seed 3 --quiet"
"$DIFFLNS" expert $small --count 8 --threads 1 -o once | grep -oE 'demonstrations=8 unsolved=0 made=8'
"$DIFFLNS" expert $small --count 3 --threads 2 -o pieces | grep -oE 'made=3'
truncate -s -7 pieces
"$DIFFLNS" expert $small --count 8 --threads 3 -o pieces | grep -oE 'made=6'
cmp once pieces
ls

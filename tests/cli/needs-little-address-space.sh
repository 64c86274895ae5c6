# A small address space is no reason to fail or hang: nothing reserves memory or starts threads before it is needed.
ulimit -v 300000
for init in pp diffusion; do
    "$DIFFLNS" solve -m "$DATA"/toy.map -i "$DATA"/toy.scen --init $init --iterations 2000 --threads 1 | sed 's/ soc.*//'
done

# Drafts as the paper samples them and LNS2 as published, limited by iterations: the same on every machine.
for threads in 1 2; do
    "$DIFFLNS" bench paper --cases 1 --settings small-random:20 --iterations 300 --threads $threads -q -o out$threads \
        --methods difflns-paper,matched-slack,lns2-plain,difflns >/dev/null
    cut -d, -f1-10,12-14,16 out$threads/results.csv >figures$threads
done
cmp figures1 figures2 && cut -d, -f5 figures1

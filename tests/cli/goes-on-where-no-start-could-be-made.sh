# A start that could not be made has no iterations, and more of them would not help: its row counts when the experiment goes on.
mkdir out
cat > out/results.csv <<'ROWS'
family,agents,case,seed,method,limit_s,status,soc,makespan,sum_of_distances,seconds,candidates,iterations,start_conflicts,threads,init,lower_bound,first_soc,first_seconds,cpu_seconds
small-random,45,0,1,oracle,0,unsolved,,,324,0.1,1,0,,1,,,,,
ROWS
"$DIFFLNS" bench init --settings small-random:45 --cases 1 --methods oracle --iterations 50 --threads 1 -o out -q

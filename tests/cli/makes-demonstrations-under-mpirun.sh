# Three processes write what one does. Without mpirun there is nothing to compare.
small="expert --families room --agents 8 --count 6 --iterations 10 --threads 1 --quiet"
"$DIFFLNS" $small -o one >/dev/null
if command -v mpirun >/dev/null; then
    # MPI's plugins keep memory and are gone before a leak report could name them.
    export ASAN_OPTIONS=detect_leaks=0
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 3 "$DIFFLNS" $small -o three >/dev/null
else
    cp one three
fi
cmp one three && echo same

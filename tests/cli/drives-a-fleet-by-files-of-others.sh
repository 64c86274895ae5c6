# Robots begin where the file says and visit what it lists: POGEMA's lifelong scenarios, problems of the League.
printf 'agents_xy: [[0, 0], [3, 4]]\ntargets_xy: [[[0, 4], [3, 0], [0, 0]], [2, 0]]\n' >queues.yaml
drive() {
    "$DIFFLNS" live --ticks 60 --iterations 20 --report report.json -q "$@" | cut -d ' ' -f 1-3,8
}
drive -m "$DATA/toy.map" --tasks queues.yaml
drive -m "$DATA/toy.map" --tasks queues.yaml -N 1
drive -m "$DATA/league/toy-2023.json" --tasks "$DATA/league/toy-2023.json"
drive -m "$DATA/league/toy-2024.json" --tasks "$DATA/league/toy-2024.json"
drive -m "$DATA/toy.map" --tasks queues.yaml -N 3 || true
printf 'agents_xy: [[1, 1]]\ntargets_xy: [[0, 0]]\n' >wall.yaml
drive -m "$DATA/toy.map" --tasks wall.yaml || true
printf 'agents_xy: [[0, 0]]\ntargets_xy: [[[0, 1], [1, 1]]]\n' >wall.yaml
drive -m "$DATA/toy.map" --tasks wall.yaml || true
printf '0 0 0\n' >tasks
drive -m "$DATA/toy.map" --tasks tasks || true

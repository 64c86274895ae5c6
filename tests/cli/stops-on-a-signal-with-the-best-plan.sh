# The first plan is there within moments; improvement would go on for an hour.
"$DIFFLNS" generate medium-room -N 60 --seed 3 -q >/dev/null
"$DIFFLNS" solve -m medium-room-60-3.map -i medium-room-60-3.scen -t 3600 --anytime -q -o plan.json >line &
solver=$!
sleep 3
kill -TERM $solver
wait $solver || code=$?
cut -d' ' -f1 line
"$DIFFLNS" check -m medium-room-60-3.map -i medium-room-60-3.scen plan.json | cut -d' ' -f1-2
exit $code

# SIGHUP hands over the best plan as SIGTERM does.
"$DIFFLNS" generate medium-room -N 60 --seed 3 -q >/dev/null
on="-m medium-room-60-3.map -i medium-room-60-3.scen"
"$DIFFLNS" solve $on -t 3600 --anytime -q -o plan.json >line &
solver=$!
sleep 3
kill -HUP $solver
wait $solver || code=$?
cut -d' ' -f1 line
"$DIFFLNS" check $on plan.json | cut -d' ' -f1-2
exit $code

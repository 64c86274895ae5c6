# What is printed to a full disk or a closed stream is missed; what goes to files is written nonetheless.
on="-m $DATA/toy.map -i $DATA/toy.scen"
"$DIFFLNS" solve $on --iterations 100 -q -o plan.json >/dev/full || echo "exit $?"
"$DIFFLNS" check $on plan.json >/dev/full || echo "exit $?"
"$DIFFLNS" convert $on plan.json -o - >/dev/full || echo "exit $?"
"$DIFFLNS" convert $on plan.json -o /dev/full || echo "exit $?"
"$DIFFLNS" --help >/dev/full || echo "exit $?"
"$DIFFLNS" solve $on --iterations 100 -q -o closed.json >&- || echo "exit $?"
"$DIFFLNS" check $on closed.json | cut -d' ' -f1

code=0
"$DIFFLNS" train --data nothing -o model --config nowhere || code=$?
"$DIFFLNS" train --data nothing -o model --set width=7000 || code=$?
"$DIFFLNS" train --data nothing -o model --set wdith=64 || code=$?
"$DIFFLNS" train --data nothing -o model --set width || code=$?
"$DIFFLNS" train --data nothing -o model --set trajectory=straight || code=$?
exit $code

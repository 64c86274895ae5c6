printf 'Agent 0:(0,0)->(0,1)->(0,2)->(0,3)->(0,4)->\nAgent 1:(0,4)->(0,3)->(0,2)->\nAgent 2:(2,2)->\n' >plan
code=0
"$DIFFLNS" convert -m "$DATA"/toy.map -i "$DATA"/toy.scen plan --format dependencies -o out.json || code=$?
ls
exit $code

cat >bad.paths <<'END'
Agent 0:(0,0)->(0,1)->(0,2)->(0,3)->(0,4)->
Agent 1:(0,4)->(0,3)->(0,2)->(0,1)->(0,0)->
Agent 2:(2,2)->(3,2)->(4,2)->(3,2)->(3,3)->
END
"$DIFFLNS" solve -m "$DATA"/toy.map -i "$DATA"/toy.scen --init plan --init-plan bad.paths --iterations 2000 -o plan.paths --format paths |
    sed 's/seconds=[-0-9.]*/seconds=?/g; s/soc=.*makespan=[0-9]*//; s/iterations=.*//'
"$DIFFLNS" check -m "$DATA"/toy.map -i "$DATA"/toy.scen plan.paths | cut -d' ' -f1-2

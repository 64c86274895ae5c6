# Agents 0 and 1 swap, agent 2 walks through a wall and off the map.
cat >bad.paths <<'END'
Agent 0:(0,0)->(0,1)->(0,2)->(0,3)->(0,4)->
Agent 1:(0,4)->(0,3)->(0,2)->(0,1)->(0,0)->
Agent 2:(2,2)->(3,2)->(4,2)->(3,2)->(3,3)->
END
"$DIFFLNS" check -m "$DATA"/toy.map -i "$DATA"/toy.scen bad.paths

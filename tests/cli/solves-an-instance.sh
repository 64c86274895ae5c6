# Times differ from run to run; everything else is repeatable.
"$DIFFLNS" solve -m "$DATA"/toy.map -i "$DATA"/toy.scen --iterations 2000 --anytime --init pp -o plan.json --report report.json |
    sed 's/seconds=[-0-9.]*/seconds=?/g'
"$DIFFLNS" check -m "$DATA"/toy.map -i "$DATA"/toy.scen plan.json
sed -n 's/.*"\(status\|soc\|makespan\|sum_of_distances\|first_soc\|init\|candidates\|repair_iterations\|seed\|agents\)": \([^,]*\).*/\1 \2/p' report.json | sort

# The page shows what the plan grew from beside the plan; a start that was as good is not shown twice.
titles() { grep -oE '"title":"[^"]*","note":"[a-z ]*' "$1"; }
"$DIFFLNS" generate small-random -N 45 --seed 2 -q >/dev/null
on="-m small-random-45-2.map -i small-random-45-2.scen"
"$DIFFLNS" solve $on --init paths --iterations 100000 --threads 1 --stop first -o plan.json --page page.html | sed 's/ soc.*init/ init/; s/ cand.*//'
titles page.html
"$DIFFLNS" solve $on --init paths --iterations 100000 --threads 1 --stop limit --page page.html >/dev/null
titles page.html
"$DIFFLNS" solve $on --init plan --init-plan plan.json --iterations 1000 --threads 1 --stop first --page page.html >/dev/null
titles page.html

# The first plan, a settled one, or one that all of the limit went into; --anytime is the last of these. Repeatable.
"$DIFFLNS" generate small-random -N 45 --seed 2 -q >/dev/null
on="-m small-random-45-2.map -i small-random-45-2.scen --iterations 150000 --threads 1 -q"
iterations() { sed 's/.*iterations=//'; }
first=$("$DIFFLNS" solve $on --stop first -o first.json | iterations)
settled=$("$DIFFLNS" solve $on -o settled.json | iterations)
again=$("$DIFFLNS" solve $on --stop settled --threads 2 -o again.json | iterations)
limit=$("$DIFFLNS" solve $on --stop limit -o limit.json | iterations)
"$DIFFLNS" solve $on --anytime -o anytime.json >/dev/null
[ "$first" -lt 80000 ] && [ "$settled" -ge 80000 ] && [ "$settled" -lt 150000 ] && [ "$again" = "$settled" ] && echo "limit $limit"
cmp settled.json again.json && cmp limit.json anytime.json
cost() { "$DIFFLNS" check -m small-random-45-2.map -i small-random-45-2.scen "$1" | sed 's/.*soc=//; s/ .*//'; }
[ "$(cost first.json)" -gt "$(cost settled.json)" ] && [ "$(cost settled.json)" -ge "$(cost limit.json)" ] && echo cheaper

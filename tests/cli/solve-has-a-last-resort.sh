# A full board, which nothing but rotations can solve: repeatable, and the check agrees. Without the fallback: unsolved.
printf 'type octile\nheight 2\nwidth 3\nmap\n...\n...\n' >full.map
printf 'version 1\n' >full.scen
for row in '0 0 1 0' '1 0 0 0' '2 0 2 0' '0 1 0 1' '1 1 1 1' '2 1 2 1'; do
    echo "0 full.map 3 2 $row 1" >>full.scen
done
"$DIFFLNS" solve -m full.map -i full.scen --iterations 50 --init paths -q -o plan.json >line
grep -oE 'status=[a-z]+|init=[a-z-]+' line
"$DIFFLNS" check -m full.map -i full.scen plan.json
code=0
"$DIFFLNS" solve -m full.map -i full.scen --iterations 1 --init paths --fallback off -q >line 2>/dev/null || code=$?
grep -o 'status=[a-z]*' line
echo "exit $code"

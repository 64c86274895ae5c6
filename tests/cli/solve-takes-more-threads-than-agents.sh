# A large map and more threads than anybody has use for: the distances of 80 goals are shared by 100 threads.
awk 'BEGIN { n = 500; print "type octile\nheight " n "\nwidth " n "\nmap"; row = ""
    for (c = 0; c < n; c++) row = row "."
    for (r = 0; r < n; r++) print row }' >large.map
awk 'BEGIN { print "version 1"
    for (i = 0; i < 80; i++) print "0\tlarge.map\t500\t500\t" 6 * i "\t" 3 * i "\t" 6 * i + 7 "\t" 499 - 3 * i "\t0" }' >large.scen
"$DIFFLNS" solve -m large.map -i large.scen --threads 100 --stop first --quiet -o plan.json | cut -d' ' -f1
"$DIFFLNS" check -m large.map -i large.scen plan.json | cut -d' ' -f1

# The solver's rows come from the library's table, with letters and verbs of the command line's own.
"$DIFFLNS" solve --help | grep -A1 -e '--time' -e '--neighbors' -e '--repair-time' -e '--fallback' -e '--stop' -e '--anytime'
"$DIFFLNS" --man | sed -n '/^.SH SAMPLE/,/^.SH INFO/p' | grep -A1 -e steps -e horizon -e seed

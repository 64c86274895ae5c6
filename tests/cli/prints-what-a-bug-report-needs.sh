# One line; the instruction set can be chosen, but never one that the machine lacks.
"$DIFFLNS" --version --verbose | wc -l
DIFFLNS_ISA=baseline "$DIFFLNS" --version -v | grep -o 'instruction set baseline;'
DIFFLNS_ISA=nonsense "$DIFFLNS" --version -v | cmp - "$("$DIFFLNS" --version -v >best; echo best)"

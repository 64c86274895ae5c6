# No verb: the help, and an error.
code=0
"$DIFFLNS" 2>help || code=$?
sed -n '/^usage/p' help >&2
exit $code

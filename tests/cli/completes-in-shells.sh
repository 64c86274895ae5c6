# What shells offer comes from the tables: verbs, options of a verb, words of a choice.
"$DIFFLNS" --completion bash >difflns.bash
cat >ask.bash <<'END'
source ./difflns.bash
ask() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _difflns
    echo "$*: ${COMPREPLY[*]}"
}
ask difflns so
ask difflns check --ma
ask difflns solve --stop ""
ask difflns solve --stop s
ask difflns solve pla
END
command -v bash >/dev/null && bash ask.bash
"$DIFFLNS" --completion zsh | grep -c -- "'--stop\[.*:(first settled limit)'"
"$DIFFLNS" --completion fish | grep -- "solve' -l stop" | sed 's/ -d .*//'
"$DIFFLNS" --completion sh || echo "exit $?"
"$DIFFLNS" --completion fish | grep -o "one agent.*s goal" | head -n 1
for shell in zsh fish; do
    command -v $shell >/dev/null || continue
    "$DIFFLNS" --completion $shell >script && $shell -n script || echo "$shell refuses its script"
done

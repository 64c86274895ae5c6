# Each is refused with one line, before any file is looked for.
for option in "-t 0x10" "-t nan" "-t inf" "-t 1s" "-t -1" "--neighbors 0" "--neighbors 0x8" "--neighbors 8.0" "--steps -1" "--horizon -1" "--seed -1" "--fallback yes" "--anytime=on"; do
    # shellcheck disable=SC2086
    "$DIFFLNS" solve $option && exit 1
    [ $? -eq 2 ]
done
"$DIFFLNS" solve --init nothing 2>&1 | sed "s/auto|.*/auto|.../" >&2
"$DIFFLNS" sample --steps -1 || "$DIFFLNS" bench repair -t 0x10 || "$DIFFLNS" generate maze -N 0x10 || exit 2

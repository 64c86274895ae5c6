"$DIFFLNS" generate maze -N 4 --height 24

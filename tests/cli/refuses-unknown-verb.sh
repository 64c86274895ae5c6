"$DIFFLNS" frobnicate

"$DIFFLNS" bench main --methods lns2,magic -o out

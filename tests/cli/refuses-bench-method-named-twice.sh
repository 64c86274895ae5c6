"$DIFFLNS" bench main --methods lns2,lns2 -o out

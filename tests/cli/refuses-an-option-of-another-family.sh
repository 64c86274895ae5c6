"$DIFFLNS" generate warehouse -N 4 --room-size 3

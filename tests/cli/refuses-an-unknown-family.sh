"$DIFFLNS" generate labyrinth -N 4

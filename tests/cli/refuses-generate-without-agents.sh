"$DIFFLNS" generate medium-maze

"$DIFFLNS" bench something

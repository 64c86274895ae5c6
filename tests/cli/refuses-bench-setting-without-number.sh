"$DIFFLNS" bench main --settings medium-maze:many -o out

"$DIFFLNS" bench main --settings medium-maze:190,tiny-maze -o out

"$DIFFLNS" bench attention --model none.model -o out

cp "$DATA"/toy.paths .
"$DIFFLNS" view --demos toy.paths -o page.html

# A folder that no sample --trace has written to.
mkdir empty
"$DIFFLNS" view -m "$DATA"/toy.map -i "$DATA"/toy.scen empty -o page.html

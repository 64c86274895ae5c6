"$DIFFLNS" bench large --settings 380 -q

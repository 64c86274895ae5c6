"$DIFFLNS" bench large --settings 380:2,400:1 -t 60 --threads 1 --out new/folder -q | cut -c1-32
cut -d, -f1-4 new/folder/results.csv

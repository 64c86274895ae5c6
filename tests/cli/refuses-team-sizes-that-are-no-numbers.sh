"$DIFFLNS" expert -N 32,many --count 2 -o demos

"$DIFFLNS" expert --families room,castle --count 2 -o demos

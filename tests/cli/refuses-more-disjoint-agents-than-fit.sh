"$DIFFLNS" generate medium-room -N 181 --placement disjoint

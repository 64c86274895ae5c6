# LaCAM's own search has no first descent to keep.
"$DIFFLNS" expert --pairs --count 1 -o never

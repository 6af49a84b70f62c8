# Graded: 9 solved:
# Another style: the place is the number of the step, counted over all tiles.
s/^        Place<DEPTH> place;$/&\n        place.at = 0;/

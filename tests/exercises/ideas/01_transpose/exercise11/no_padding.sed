# Graded: 7 partial: no: is [0-9.]+, must be (at (most|least) )?65536$
# A column of the tile in one bank.
s/\[TILE + 1\]/[TILE]/

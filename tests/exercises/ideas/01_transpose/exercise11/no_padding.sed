# Graded: 7 partial: no: [0-9]+, 65536$
# A column of the tile in one bank.
s/\[TILE + 1\]/[TILE]/

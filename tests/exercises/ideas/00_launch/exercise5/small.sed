# Graded: 0 wrong: ^WRONG at 1x40: small.cu:[0-9]*: out of bounds: 4 bytes of shared memory at byte 128 of tile, 
# The array is too small for larger sizes.
s/tile\[1024\]/tile[32]/

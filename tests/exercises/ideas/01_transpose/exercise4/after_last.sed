# Graded: 8 partial: no: is 1024, must be at most 896$
# A barrier after each tile, the last one included.
/if (t + 1 < TILES)/d

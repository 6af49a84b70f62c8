# Graded: 9 solved:
# Another style: the parameters by name.
s/load_tile(tile_b, B, k0, col, K, N);/const int rows_of_b = K, cols_of_b = N;\n        load_tile(tile_b, B, k0, col, rows_of_b, cols_of_b);/

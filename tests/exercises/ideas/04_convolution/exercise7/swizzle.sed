# Graded: 9 solved:
# Rows of 12 words cannot be without conflicts; a rotation of rows of 16 words by 8 for every second pair of rows can.
s/#define ROW 24/#define ROW 16/
s/tile\[ty + i\]\[tx + j\]/tile[ty + i][(tx + j + (ty + i) \/ 2 % 2 * 8) % 16]/
s/tile\[ty + i\]\[tx + n\]/tile[ty + i][(tx + n + (ty + i) \/ 2 % 2 * 8) % 16]/

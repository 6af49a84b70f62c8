# Graded: 9 solved:
# Rows that are 12 words longer start 4 banks apart in another order.
s/BM + 4/BM + 12/

# Graded: 9 solved:
# A capture in each call.
s/!ready || in != last_in || sums != last_sums || out != last_out || n != last_n/true/

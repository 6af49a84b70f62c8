# Graded: 5 partial: no: is [0-9]*, must be (at (most|least) )?70000$
# 2 x 8 sums fit, and have more fragments.
s/#define TM 4 /#define TM 2 /
s/#define TN 4/#define TN 8/

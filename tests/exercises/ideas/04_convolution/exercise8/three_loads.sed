# Graded: 5 partial: no: is 5[0-9]*, must be (at (most|least) )?1860$
# Three loads in place of the shuffles.
s/__shfl_up_sync(0xffffffff, own, 1)/load_clamped<unsigned>(image, x - 4, y + i - 2)/
s/__shfl_down_sync(0xffffffff, own, 1)/load_clamped<unsigned>(image, x + 4, y + i - 2)/

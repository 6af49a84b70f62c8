# Graded: 9 solved:
# The word is read with an atomic first.
s/unsigned long long seen, next, old = 0;/unsigned long long seen, next, old = atomicCAS(packed, 0ull, 0ull);/

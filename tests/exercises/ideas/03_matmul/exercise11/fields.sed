# Graded: 9 solved:
# Another style: the lengths are in units of 16 bytes before they are shifted.
s/return (at >> 4.*/uint64_t d = (at \& 0x3ffff) \/ 16;\n    d += (leading \/ 16) * (1ull << 16);\n    d += (stride \/ 16) * (1ull << 32);\n    return d + swizzle * (1ull << 62);/

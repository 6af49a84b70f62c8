# Graded: 6 partial: no: is 1536, must be at most 1024$
# Two loads of an element in place of one load of a word.
s/^__device__ void load_a(/__device__ unsigned word(const bf16 *p)\n{\n    return *(const unsigned short *)p | *(const unsigned short *)(p + 1) << 16;\n}\n\n&/
s/\*(const unsigned \*)&\(tile\[.*\]\);/word(\&\1);/

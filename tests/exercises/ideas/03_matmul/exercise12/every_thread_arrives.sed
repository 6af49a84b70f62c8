# Graded: 9 solved:
# Each thread of the consumers arrives.
s/mbarrier_init(&p.empty\[i\], CONSUMERS \/ 128);/mbarrier_init(\&p.empty[i], CONSUMERS);/
s/^            if (threadIdx.x % 128 == 0).*//

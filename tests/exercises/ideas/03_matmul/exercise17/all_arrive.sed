# Graded: 9 solved:
# All threads of the consumers arrive.
s/mbarrier_init(&p.empty\[i\], CONSUMERS \/ 128);/mbarrier_init(\&p.empty[i], CONSUMERS);/
s/^            if (threadIdx.x % 128 == 0).*//

# Graded: 9 solved:
# Another style: buffer and parity are counted.
s/^    for (int step = 0; step < steps; step++) {/    for (int step = 0, buffer = 0, parity = 0; step < steps; step++) {/
s/Boxes &boxes = smem\[step % DEPTH\];/Boxes \&boxes = smem[buffer];/
s/mbarrier_wait(&full\[step % DEPTH\], step \/ DEPTH % 2);/mbarrier_wait(\&full[buffer], parity);/
s/^            copy_boxes(step + DEPTH);/&\n        if (++buffer == DEPTH)\n            buffer = 0, parity ^= 1;/

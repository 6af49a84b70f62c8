# The block of stage 15 of week 3: a producer and two consumers.
TITLE = "Two consumers share the tile of B"
H = 6.6
load "drawing.gp"

eval cell(0.4, 3.1, 2.6, 0.9, ORANGE, "producer").note(1.7, 4.35, "one thread: TMA").arrow(3.05, 3.55, 4.2, 3.55, DARK)
eval box(4.3, 1.4, 5.0, 4.6, WHITE).note(6.8, 6.3, "a buffer in shared memory")
eval cell(4.6, 3.0, 1.6, 1.1, SKY, "A 0 - 63").cell(4.6, 4.5, 1.6, 1.1, PALE_BLUE, "A 64 - 127")
eval cell(6.6, 1.7, 2.4, 0.9, GREEN, "B, 256 wide")
eval arrow(6.25, 3.55, 10.5, 3.55, BLUE).arrow(6.25, 5.05, 10.5, 5.05, BLUE)
eval arrow(9.05, 2.15, 10.5, 3.3, GREEN).arrow(9.05, 2.3, 10.5, 4.75, GREEN)
eval cell(10.55, 3.1, 4.8, 0.9, SKY, "consumer 0: 64 x 256 sums").\
    cell(10.55, 4.6, 4.8, 0.9, PALE_BLUE, "consumer 1: 64 x 256 sums")
eval note(12.95, 2.2, "128 sums per thread")
load "page.gp"

# A bulk copy of a box by the TMA: stage 16 of week 4.
TITLE = "One thread starts the copy, the TMA computes addresses"
H = 6.6
load "drawing.gp"

eval box(0.5, 1.4, 6.0, 4.2, PALE).text(1.5, 1.75, "image")
eval cell(2.4, 2.5, 2.6, 1.6, SKY, "box").note(3.5, 6.0, "global memory")
eval cell(10.6, 2.5, 2.6, 1.6, SKY, "tile").box(9.9, 1.4, 5.4, 4.2, WHITE).note(12.6, 6.0, "shared memory")
eval cell(10.6, 4.6, 2.6, 0.65, ORANGE, "mbarrier").left(13.4, 4.92, "counts bytes")
eval arrow(5.05, 3.3, 10.5, 3.3, BLUE).text(7.9, 2.95, "TMA")
eval arrow(11.9, 4.15, 11.9, 4.55, DARK)
eval cell(7.0, 4.55, 2.3, 0.75, PALE_ORANGE, "thread 0").arrow(8.15, 4.5, 8.15, 3.4, DARK).note(8.15, 5.6, "starts")
eval text(13.0, 1.85, "all threads wait")
load "page.gp"

# Stages 3 and 4 of week 3, per k: one element per thread, and eight of a column.
TITLE = "Eight elements of a column share one word of B"
H = 7.4
load "drawing.gp"
load "product.gp"

eval text(4.0, 1.2, "stage 3: one element").tile_of(3.75, 2.2, 1, 1).reads(4.0, 6.65, 1, 1)
eval text(11.6, 1.2, "stage 4: eight elements").tile_of(11.35, 2.2, 8, 1).reads(11.6, 6.65, 8, 1)
load "page.gp"

# Stages 4 and 5 of week 3, per k: eight elements of a column, and 8 x 8.
TITLE = "An outer product: each word that is read is used eight times"
H = 7.4
load "drawing.gp"
load "product.gp"

eval text(3.8, 1.2, "stage 4: 8 x 1").tile_of(3.75, 2.2, 8, 1).reads(3.8, 6.65, 8, 1)
eval text(11.6, 1.2, "stage 5: 8 x 8").tile_of(9.6, 2.2, 8, 8).reads(11.6, 6.65, 8, 8)
load "page.gp"

# The tile of a block of a 5 x 5 convolution: its pixels and a halo of 2 on each side.
TITLE = "A 5 x 5 filter needs two more pixels on each side of a block"
H = 7.8
load "drawing.gp"

radius = 2
cols = 12; rows_ = 6      # of the block that is drawn
block_x = 64; block_y = 16     # of the stages: 4 BLOCK_X, BLOCK_Y
s = 0.52
x = 0.6; y = 1.6
tile_x = block_x + 2 * radius; tile_y = block_y + 2 * radius

eval area(x, y, (cols + 2 * radius) * s, (rows_ + 2 * radius) * s, PALE_ORANGE)
eval area(x + radius * s, y + radius * s, cols * s, rows_ * s, PALE_BLUE)
# the neighborhood of the block's first pixel
eval area(x, y, 5 * s, 5 * s, ORANGE).area(x + radius * s, y + radius * s, s, s, BLUE)
eval grid(x, y, cols + 2 * radius, rows_ + 2 * radius, s, s)
eval frame(x + radius * s, y + radius * s, cols * s, rows_ * s, BLUE).frame(x, y, 5 * s, 5 * s, VERMILION)
eval text(x + (radius + 8) * s, y + (radius + 3.5) * s, "")
eval bracket(x, x + radius * s, y + (rows_ + 2 * radius) * s + 0.2, 1, "halo")
eval bracket(x + radius * s, x + (radius + cols) * s, y + (rows_ + 2 * radius) * s + 0.2, 1, "block")
eval bracket(x + (radius + cols) * s, x + (2 * radius + cols) * s, y + (rows_ + 2 * radius) * s + 0.2, 1, "halo")
x = 9.7
eval box(x, 1.85, 0.4, 0.4, BLUE).left(x + 0.65, 2.05, "a pixel of the output")
eval box(x, 2.55, 0.4, 0.4, ORANGE).left(x + 0.65, 2.75, "the 25 pixels that it needs")
eval box(x, 3.25, 0.4, 0.4, PALE_BLUE).left(x + 0.65, 3.45, "pixels of the block")
eval box(x, 3.95, 0.4, 0.4, PALE_ORANGE).left(x + 0.65, 4.15, "halo, pixels of other blocks")
eval left(x, 5.2, sprintf("block: %d x %d pixels", block_x, block_y))
eval left(x, 5.65, sprintf("tile: %d x %d pixels,", tile_x, tile_y))
eval left(x, 6.1, sprintf("%.0f %% more to load", 100.0 * tile_x * tile_y / (block_x * block_y) - 100))
load "page.gp"

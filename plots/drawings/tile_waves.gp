# Tiles of two sizes in an image of 2048 x 2048, on the places that a GPU with 132 SMs has: stage 17 of week 4.
TITLE = "A small image: smaller tiles fill the GPU"
H = 6.0
load "drawing.gp"

sms = 132; side = 2048
places = 4 * sms
ceil_div(a, b) = (a + b - 1) / b
array wide[2] = [896, 512]
array tall[2] = [32, 16]
array fill[2] = [SKY, ORANGE]
x = 0.6; all = 14.8
do for [i = 1:2] {
    y = 1.9 + (i - 1) * 1.7
    tiles = ceil_div(side, wide[i]) * ceil_div(side, tall[i])
    bytes = (wide[i] + 64.0) * (tall[i] + 4) / (wide[i] * tall[i])
    eval left(x, y - 0.35, sprintf("tiles of %d x %d: %d of %d places, %.2f bytes loaded per pixel", \
        wide[i], tall[i], tiles, places, bytes))
    eval box(x, y, all, 0.7, PALE).cell(x, y, all * tiles / places, 0.7, fill[i], sprintf("%d", tiles))
}
eval note(8, 5.3, \
    sprintf("%d SMs, 4 blocks each. A large image has many waves: there, fewer bytes per pixel count.", sms))
load "page.gp"

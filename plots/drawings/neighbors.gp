# Four pixels of a row and their neighbors: stage 2 of week 4.
TITLE = "Four pixels of a row need 40 bytes, not 100"
H = 6.8
load "drawing.gp"

s = 0.85; pixels = 4; size = 5
x = 1.2; y = 1.6
do for [r = 0:size - 1] {
    do for [c = 0:pixels + size - 2] {
        is_pixel = r == size / 2 && c >= size / 2 && c < size / 2 + pixels
        uses = (c < size ? c + 1 : size) - (c >= pixels ? c - pixels + 1 : 0)
        uses = uses > pixels ? pixels : uses
        eval cell(x + c * s, y + r * s, s, s, is_pixel ? ORANGE : uses > 2 ? SKY : PALE_BLUE, sprintf("%d", uses))
    }
}
eval frame(x, y, size * s, size * s, VERMILION).frame(x + (pixels - 1) * s, y, size * s, size * s, BLUE)
eval left(x + 9 * s, y + 0.6, "a number: how many of the").left(x + 9 * s, y + 1.05, "four pixels use this byte")
eval left(x + 9 * s, y + 2.1, sprintf("%d pixels x %d = %d uses", pixels, size ** 2, pixels * size ** 2)).\
    left(x + 9 * s, y + 2.55, sprintf("%d x %d = %d bytes", size, pixels + size - 1, size * (pixels + size - 1)))
eval put(x + 9 * s, y + 3.6, "left", VERMILION, "window of the first pixel").\
    put(x + 9 * s, y + 4.05, "left", BLUE, "window of the last pixel")
load "page.gp"

# The colors of all figures and drawings. `make plots PALETTE=ours.gp` takes those that ours.gp names from there: the
# file has lines like these.

# Series: Wong's palette (Nature Methods 8, 441, 2011) without its yellow, which color-blind readers can tell apart.
BLUE = 0x0072B2
VERMILION = 0xD55E00
GREEN = 0x009E73
PURPLE = 0xCC79A7
ORANGE = 0xE69F00
SKY = 0x56B4E9
WINE = 0x882255
# Tints, behind texts.
PALE_BLUE = 0xCCE3F0
PALE_ORANGE = 0xFBE3B3
PALE_GREEN = 0xCCECE3
PALE_PURPLE = 0xF0D6E4
# References, texts, what is not highlighted, lines, areas.
BLACK = 0x000000
DARK = 0x595959
LINES = 0x777777
GRAY = 0x8A8A8A
GRID = 0xD8D8D8
ROWS = 0xE8E8E8
PALE = 0xEDEDED
BACK = 0xF4F4F4
WHITE = 0xFFFFFF
ALARM = 0xB03A00
# Modeled times: ColorBrewer's Purples. The last is of a new stage, which stands out.
MODEL1 = 0x3F007D
MODEL2 = 0x6A51A3
MODEL3 = 0x9E9AC8
MODEL4 = 0x54278F
MODEL5 = 0x807DBA
MODEL6 = 0xAE017E
# Maps, from low to high: viridis.
MAP1 = 0x440154
MAP2 = 0x414487
MAP3 = 0x2A788E
MAP4 = 0x22A884
MAP5 = 0x7AD151
MAP6 = 0xFDE725

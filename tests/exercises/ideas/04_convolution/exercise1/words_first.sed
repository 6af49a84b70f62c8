# Graded: 9 solved:
# Another style: all words before the first product, and the loops the other way round.
s/^    for (int i = 0; i < 5; i++) {/    unsigned words[5][3];\n    for (int n = 0; n < 3; n++)\n        for (int i = 0; i < 5; i++)\n            words[i][n] = load_clamped<unsigned>(image, x - 4 + 4 * n, y + i - 2);\n&/
s/^        unsigned word\[3\];/        const unsigned *word = words[i];/
s/^        for (int n = 0; n < 3; n++)//
s/^            word\[n\] = load_clamped.*//

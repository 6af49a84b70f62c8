# A message of a sum and a flag: two words with two fences, or one word. Stages 7 and 8 of week 5.
TITLE = "One word of 8 bytes: a reader sees both parts, or none"
H = 6.2
load "drawing.gp"

eval left(0.5, 1.4, "two words")
eval cell(0.5, 1.75, 2.2, 0.7, SKY, "store sum").text(3.2, 2.1, "fence").\
    cell(3.7, 1.75, 2.3, 0.7, ORANGE, "store flag")
eval cell(9.0, 2.75, 2.2, 0.7, ORANGE, "load flag").text(11.75, 3.1, "fence").\
    cell(12.3, 2.75, 2.2, 0.7, SKY, "load sum")
eval arrow(6.05, 2.2, 8.9, 3.05, DARK)
eval left(0.5, 4.0, "one word")
eval cell(0.5, 4.35, 1.4, 0.7, ORANGE, "flag").cell(1.9, 4.35, 1.6, 0.7, SKY, "sum").\
    frame(0.5, 4.35, 3.0, 0.7, BLUE).left(3.7, 4.7, "one store")
eval cell(9.0, 4.35, 1.4, 0.7, ORANGE, "flag").cell(10.4, 4.35, 1.6, 0.7, SKY, "sum").\
    frame(9.0, 4.35, 3.0, 0.7, BLUE).left(12.2, 4.7, "one load")
eval arrow(5.8, 4.7, 8.9, 4.7, DARK).note(2.0, 5.45, "8 bytes").note(10.5, 5.45, "8 bytes")
load "page.gp"

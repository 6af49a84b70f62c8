# Graded: 9 solved:
# An arrival per copy, each with its bytes.
s/mbarrier_init(&full, 1);/mbarrier_init(\&full, 2);/
s/mbarrier_arrive_expect_tx(&full, sizeof tiles);/mbarrier_arrive_expect_tx(\&full, sizeof tiles.A);\n            mbarrier_arrive_expect_tx(\&full, sizeof tiles.B);/

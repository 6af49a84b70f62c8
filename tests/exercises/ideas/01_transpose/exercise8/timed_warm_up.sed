# Graded: 3 partial: no: is 16, must be (at (most|least) )?15$
# The first batch begins before the warm-up.
s/^    launch(in, out, rows, cols);   \/\/ the warm-up/    cudaEventRecord(start);\n&/
s/^        cudaEventRecord(start);/        if (i > 0)\n    &/

# Graded: 5 partial: no: is [0-9.]+, must be (at (most|least) )?5$
# A box is copied when it is needed.
s/for (int n = 0; n < RING; n++)$/&/
/^        fence_proxy_async();$/,/^    }/s/for (int n = 0; n < RING; n++)/for (int n = 0; n < 1; n++)/
s/^        for (int n = s; n < s + 2; n++)/        if (threadIdx.x == 0)\n            start_box(ring, full, s + 1, image, left, top);\n&/
s/s + RING < BOXES/s < 0/

# Graded: 3 partial: no: is 18944, must be (at (most|least) )?13312$
# Rows of 65 words: no conflict of the stores, but then no float4 is aligned.
s/tile_a\[BK\]\[BM + 4\]/tile_a[BK][BM + 1]/
s/\*(float4 \*)frag_a = \*(float4 \*)&tile_a\[k\]\[thread_row\];/for (int i = 0; i < 4; i++)\n                frag_a[i] = *(volatile float *)\&tile_a[k][thread_row + i];/

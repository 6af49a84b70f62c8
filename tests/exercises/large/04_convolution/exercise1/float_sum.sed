# Sums in floats, which hold whole numbers up to 2^24.
s/int sum\[4\] = {};/float sum[4] = {};/
s/pixel(sum\[p\], f.scale)/pixel((int)sum[p], f.scale)/

# Graded: 0 wrong: ^WRONG at 1x12: no_zero.cu:[0-9]*: uninitialized read of part 
# Threads without an element store nothing.
s/part\[t\] = i < n ? a\[i\] : 0;/if (i < n)\n        part[t] = a[i];/

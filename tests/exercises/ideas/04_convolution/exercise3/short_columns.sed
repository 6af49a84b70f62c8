# Graded: 4 partial: no: [0-9]*, 912$
# Fewer rows per thread: rows between two threads are loaded twice.
s/#define ROWS 20/#define ROWS 4/

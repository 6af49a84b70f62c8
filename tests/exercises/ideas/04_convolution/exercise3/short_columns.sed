# Graded: 4 partial: no: is [0-9.]+, must be (at (most|least) )?912$
# Fewer rows per thread: rows between two threads are loaded twice.
s/#define ROWS 20/#define ROWS 4/

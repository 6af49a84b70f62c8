# Graded: 9 solved:
# cuda::pipeline in place of the functions of C.
1s/^/#include <cuda\/pipeline>\n/
s/^    float sum = 0;/&\n    auto pipe = cuda::make_pipeline();/
s/__pipeline_commit()/pipe.producer_commit()/
s/__pipeline_wait_prior(DEPTH - 2)/cuda::pipeline_consumer_wait_prior<DEPTH - 2>(pipe)/

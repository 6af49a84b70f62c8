# Graded: 5 partial: no: is [0-9.]+, must be (at (most|least) )?2$
# No row is in flight while one is computed.
s/__pipeline_wait_prior(AHEAD);/__pipeline_wait_prior(0);/

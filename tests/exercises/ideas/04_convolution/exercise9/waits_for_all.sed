# Graded: 5 partial: no: [0-9.]*, 2$
# No row is in flight while one is computed.
s/__pipeline_wait_prior(AHEAD);/__pipeline_wait_prior(0);/

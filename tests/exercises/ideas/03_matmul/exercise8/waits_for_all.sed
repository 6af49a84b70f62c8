# Graded: 6 partial: no: is [0-9.]+, must be (at (most|least) )?3.5$
# Four buffers, but only one step is copied while another one is computed.
s/step < DEPTH - 1; step++/step < 1; step++/
s/__pipeline_wait_prior(DEPTH - 2)/__pipeline_wait_prior(0)/
s/step + DEPTH - 1/step + 1/g

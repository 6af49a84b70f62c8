# Graded: 9 solved:
# Another style: the place is the number of the step, counted over all tiles.
s/^        PipelineState<DEPTH> state;$/&\n        state.index = 0;/

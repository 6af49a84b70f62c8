# Graded: 6 partial: no: is 0.5, must be (at (most|least) )?3$
# A step is copied when it is needed.
s/step < min(DEPTH, steps); step++/step < 0; step++/
s/^        mbarrier_wait(/        if (leader)\n            copy_boxes(step);\n&/
s/if (leader \&\& step + DEPTH < steps)/if (leader \&\& step < 0)/

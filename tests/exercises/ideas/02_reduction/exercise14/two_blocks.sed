# Graded: 6 partial: no: is 4, must be (at (most|least) )?2$
# Clusters of two blocks.
s/#define CLUSTER 4 /#define CLUSTER 2 /

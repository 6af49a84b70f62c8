# Graded: 6 partial: no: 4, 2$
# Clusters of two blocks.
s/#define CLUSTER 4 /#define CLUSTER 2 /

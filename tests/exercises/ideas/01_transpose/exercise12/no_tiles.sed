# Graded: 6 partial: no: is 16640, must be (at (most|least) )?4224$
# As if a grid always had enough blocks.
s/min((long long)blocks_per_sm(sm, s) \* sms, tiles)/(long long)blocks_per_sm(sm, s) * sms/
/^        long long tiles = /d

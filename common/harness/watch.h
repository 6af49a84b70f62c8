#ifndef WATCH_H
#define WATCH_H

// Which block and warp to record.
struct watch {
    unsigned block[3];
    // Numbers in block[]. 0: the block in the middle of the grid; 1: the number of the block in the
    // grid; 2 and 3: its index.
    int parts;
    int warp;
    const char *block_given;   // as on the command line; NULL: not given
};

#endif

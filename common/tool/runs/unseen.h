// Kernels of other authors, on which the model of time is tested. plots/data/model/unseen lists
// them; the modeled times are in plots/data/model/unseen.GPU.txt, and the measured ones in
// plots/data/GPU/unseen.txt, with the columns UNSEEN.
#ifndef UNSEEN_H
#define UNSEEN_H

#define UNSEEN(X) X(name) X(repository) X(kernel) X(grid) X(block) X(us) X(mhz) X(limiter) X(lacks)

// A row; a field is "" if it is not known. mhz: the clock while it was measured.
struct unseen {
#define FIELD(name) const char *name;
    UNSEEN(FIELD)
#undef FIELD
};

struct unseen_rows {
    struct unseen *of;
    int n;
};

// Without rows if there is no such table.
struct unseen_rows unseen_modeled(const char *gpu);
struct unseen_rows unseen_measured(const char *gpu);

// The row of the same launch; NULL: none.
const struct unseen *unseen_same(const struct unseen_rows *, const struct unseen *);

#endif

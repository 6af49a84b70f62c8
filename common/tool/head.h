// The head of a .cu file: the comment lines at its top, and its knobs.
#ifndef HEAD_H
#define HEAD_H

enum { HEAD_CLAIMS = 64, HEAD_CHECKS = 2 };

struct head {
    const char *file;   // "stage3_padding.cu"
    const char *key;    // "stage3", "ref_cublas", "demo_timing"
    const char *name;   // "padding", "cublas", "timing"
    // the first paragraph, without the key: "shared-memory padding (no bank conflicts)"
    const char *lesson;
    const char *needs, *computes, *arithmetic, *type;   // first word of such a line, or ""
    const char *from;                 // "stage11": the stage that it changes, or ""
    const char *links;                // of all "// Links:" lines: "-lcublas -lnppc"
    const char *knobs;                // "TILE ROWS", in the order of the file
    const char *claim[HEAD_CLAIMS];   // text of each "// Expect" or "// Points N" line
    int n_claims;
    // of an exercise, from its "// Points N" lines: of each claim, and of a correct result; 0: none
    int points[HEAD_CLAIMS], points_correct;
    const char *check[HEAD_CHECKS];   // text of each "// Check" line
    int n_checks;
};

// Reads the head of a file. A line with a claim that ends with "and" goes on in the next line. Ends
// the program if it cannot be read.
struct head head_of(const char *path);
#endif

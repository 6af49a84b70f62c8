/* The GPUs that the model of time knows, by the short names that users type: h200, a100, t4. They
 * are those of common/machine/datasheets.tsv and of the tables that were measured. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct gpu {
    char name[32];     // as in --for: "h200"
    char row[64];      // in datasheets.tsv: "H200 SXM"
    char arch[16];     // for nvcc: "sm_90a"
    int sm;            // 90 for compute capability 9.0
    int is_measured;   // there is a table NAME.tsv
    double sms, l2_bytes, dram_bytes;
};

// Fills in a GPU. `machines` is the folder common/machine. Returns NULL, or what is wrong with the
// name; the text is allocated.
const char *gpu_find(const char *machines, const char *name, struct gpu *);

#ifdef __cplusplus
}
#endif

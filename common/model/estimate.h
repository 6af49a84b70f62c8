/* Machine code that is estimated from what one block did on the CPU device. */
#pragma once

#include "../emu/interface.h"
#include "code.h"

struct model_code *model_code_empty(void);
// A block of the next launch has `longer` times the instructions that were recorded.
void model_code_lengthen(struct model_code *code, const char *name, double longer);
// Products of floats of a block.
double model_code_products(const struct model_code *code, const char *name);
// Adds a kernel to the code. Returns NULL, or what it has that cannot be estimated.
const char *model_code_estimate(struct model_code *code, const char *name,
                                const struct emu_event *events, int n, uint64_t omitted, int warps,
                                size_t static_shared);

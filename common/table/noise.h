// Claims about measured rows: which times they compare, and with what spread.
//
// - A time or rate of a call reaches from its 10th to its 90th percentile.
// - Rows of different runs may have been measured at different SM clocks. The spread of a row
//   includes what it would be at the clock of the claim's first row, if time were proportional to
//   cycles. Rows of one run were interleaved: if their clocks differ, the kernels are the reason.
// - `rate` is the rate in a stream. If a claim compares rates, one of them of a call shorter than
//   SHORT_CALL_US, all are rates in a CUDA graph, if these are known: at this length the time in a
//   stream depends on the host. `median_us` is always the time in a stream, `graph_us` that in a
//   graph.
#ifndef NOISE_H
#define NOISE_H

#include "claim.h"

enum { SHORT_CALL_US = 20 };

// Returns the row of a term, or NULL if it is not measured.
typedef const struct row *term_row(void *context, const struct term *);

struct claim_result claim_judge_rows(const struct claim *, term_row *, void *context);

#endif

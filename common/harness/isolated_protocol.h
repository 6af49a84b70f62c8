// What the two processes of isolated.h send each other.
#ifndef ISOLATED_PROTOCOL_H
#define ISOLATED_PROTOCOL_H

#include "isolated.h"

// What the submission's program is started with: its socket.
enum { ISOLATED_SOCKET = 3 };

struct request {
    // CALL: one checked call; the inputs follow. Of a measurement (isolated_time.c): PREPARE: makes
    // `sets` sets of arrays; the inputs follow. ROUND: changes the inputs; a shift per set follows;
    // then, after one more byte, `calls` calls. PROBE: returns some bytes of the outputs of each
    // set, at a place that `place` determines. RETURN: returns the outputs of set `set`.
    enum { CALL, PREPARE, ROUND, PROBE, RETURN } what;
    struct problem problem;   // without its pointers and its secret
    int counted, sets, calls, set;
    uint64_t place;
};
// What the other process sends begins with this.
struct message {
    enum { REPLY, QUESTION, DIAGNOSED, FORBIDDEN, UNSTARTED } kind;
    uint32_t bytes;   // of the text or number that follows
};
// The outputs follow a reply with STATUS_OK.
struct reply {
    enum status status;
    char why[ISOLATED_WHY];
    struct facts facts;
};

// Sends a message from the other process, or from what becomes it. Returns 0 if the other side has
// closed the socket.
int tell(int kind, const void *text, size_t bytes);

#endif

// What the two processes of isolated.h send each other: structs of fixed size. The process that
// checks trusts no field that comes from the submission's process: it uses a text as far as its
// first zero, with control characters replaced, and a number if it is in its range.
#ifndef ISOLATED_PROTOCOL_H
#define ISOLATED_PROTOCOL_H

#include "call_facts.h"
#include "isolated.h"

// What the submission's program is started with: its socket.
enum { ISOLATED_SOCKET = 3 };

struct request {
    // CALL: one checked call; the inputs follow. Of a measurement (isolated_time.c): PREPARE: makes
    // `sets` sets of arrays; the inputs follow. ROUND: changes the inputs; a shift per set follows;
    // then, after one more byte, `calls` calls. PROBE: returns some bytes of the outputs of each
    // set, at a place that `place` determines. RETURN: returns the outputs of set `set`.
    enum { CALL, PREPARE, ROUND, PROBE, RETURN } what;
    struct problem problem;         // without its pointers and its secret
    char computes[ISOLATED_WORD];   // problem.computes
    int counted, sets, calls, set;
    uint64_t place;
};

// What the other process sends begins with this. A struct reply follows a REPLY, and the outputs
// one with STATUS_OK; a struct emu_question follows a QUESTION, whose answer is 4 bytes, its
// length, and a text.
struct message {
    enum { REPLY = 1, QUESTION, DIAGNOSED, FORBIDDEN, UNSTARTED } kind;
    int number;                // of the system call that is FORBIDDEN
    char text[ISOLATED_WHY];   // of the finding that was DIAGNOSED; why it is UNSTARTED
};
struct reply {
    enum status status;
    char why[ISOLATED_WHY];
    struct facts facts;
};

// Sends a message from the other process, or from what becomes it. Returns 0 if the other side has
// closed the socket.
int tell(int kind, int number, const char *text);

#endif

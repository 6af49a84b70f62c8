// The program that every stage is linked into.
#include "session.h"

int main(int argc, char *argv[]) { return session_run(&week, &stage_info, argc, argv); }

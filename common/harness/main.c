// The program that every stage is linked into.
#include "backend.h"
#include "program.h"
#include "session.h"

int main(int argc, char *argv[])
{
    occupy_standard_descriptors();
    return isolated_main ? isolated_main(argc, argv)
                         : (int)session_run(&week, &stage_info, argc, argv, NULL);
}

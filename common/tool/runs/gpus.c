// ladder gpu NAME: the architecture for which nvcc compiles what a GPU runs.
#include "runs.h"

#include "gpu.h"

enum status command_gpu(struct arguments a)
{
    struct gpu gpu;
    const char *wrong;

    no_options(&a);
    if (a.n != 1)
        fail("gpu: expected a name, for example ladder gpu h200");
    wrong = gpu_find(text_of("%s/common/machine", root_folder()), a.word[0], &gpu);
    if (wrong)
        fail("%s: %s", a.word[0], wrong);
    puts(gpu.arch);
    return STATUS_OK;
}

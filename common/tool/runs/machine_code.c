// ladder machine-code FILE.sass SOURCE: the short form of a disassembly; of SOURCE alone: the
// number of the source's words, which must be that of the record.
#include "runs.h"

#include <inttypes.h>

#include "code.h"

enum status command_machine_code(struct arguments a)
{
    struct model_code *code;

    no_options(&a);
    if (a.n == 1) {
        printf("%" PRIx64 "\n", words_of_source(a.word[0]));
        return STATUS_OK;
    }
    if (a.n != 2)
        fail("machine-code: expected a file of nvdisasm -g and the source: ladder machine-code "
             "stage3.sass stage3_padding.cu");
    code = model_code_read(a.word[0]);
    if (!code)
        return STATUS_USAGE;
    record_write(code, a.word[1], stdout);
    model_code_free(code);
    return STATUS_OK;
}

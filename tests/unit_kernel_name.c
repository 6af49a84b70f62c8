// Links: common/harness/kernel_name.c
#include "kernel_name.h"

#include "tap.h"

static void name(const char *symbol, const char *want)
{
    char got[64];

    kernel_name(symbol, got, sizeof got);
    same_text(got, want, symbol);
}

int main(void)
{
    char small[5];

    name("_Z14transpose_tilePKfPfii", "transpose_tile");
    name("_Z14transpose_tile14CUtensorMap_stS_ii", "transpose_tile");
    name("_Z6reduceILi256EEvPKfPf", "reduce");
    name("_ZN7cutlass6KernelI4GemmEEvT_", "Kernel");
    name("_ZL5innerv", "inner");
    name("plain_c_name", "plain_c_name");
    name("_Z99short", "_Z99short");
    name("_Z99999999999999999999x", "_Z99999999999999999999x");
    name("", "");
    kernel_name("_Z14transpose_tilePKfPfii", small, sizeof small);
    same_text(small, "tran", "the name is cut to the given length");
    return done_testing();
}

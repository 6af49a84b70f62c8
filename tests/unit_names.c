// Links: common/model/names.c
#include "../common/model/names.h"

#include "tap.h"

// The names that nvcc 13.0 gives.
static const char *const of_nvcc[] = {
    "_Z2stPf",
    "_ZN1n2nsEPf6__half",
    "_ZN30_GLOBAL__N__55561f57_4_s_cu_ec2anEPf",
    "_Z5withSN30_GLOBAL__N__55561f57_4_s_cu_ec1SEPi",
    "_Z3lamIZ4mainEUlfE_EvT_Pf",
    "_Z2fpIXadL_Z2ddPfEEEvS0_",
    "_Z5twiceIZ4mainEUliE_EvT_",
    "_Z5twiceIZ4mainEUliE0_EvT_",
    "of_c",
};
enum { N = sizeof of_nvcc / sizeof *of_nvcc };

static void name(const char *symbol, const char *want, const char *what)
{
    const char *got = kernel_named(of_nvcc, N, symbol);

    same_text(got ? got : "none", want, what);
}

int main(void)
{
    name("of_c", "of_c", "a name that is the same");
    name("_ZL2stPf", "_Z2stPf", "a static function");
    name("_ZN1nL2nsEPf6__half", "_ZN1n2nsEPf6__half", "a static function in a namespace");
    name("_ZL2stPf.constprop.0.isra.0", "_Z2stPf", "a copy that g++ has specialized");
    name("_ZN12_GLOBAL__N_12anEPf", of_nvcc[2], "a function in an anonymous namespace");
    name("_Z5withSN12_GLOBAL__N_11SEPi", of_nvcc[3], "a parameter of such a type");
    name("_Z3lamIZ4mainEUlfE5_EvT_Pf", of_nvcc[4], "a lambda, whose number differs");
    name("_Z2fpIXadL_Z2ddPfEEEvS0_", of_nvcc[5], "a function as a template argument");
    name("_Z5twiceIZ4mainEUliE3_EvT_", "none", "one of two lambdas is not chosen");
    name("_Z4nonePf", "none", "a kernel that is not there");
    return done_testing();
}

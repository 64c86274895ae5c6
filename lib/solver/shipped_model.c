#include "solver/shipped_model.h"

#ifdef DIFFLNS_SHIPPED_MODEL
__asm__(".section .rodata\n"
        ".balign 64\n"
        ".global dl_shipped_model_begin\n"
        ".hidden dl_shipped_model_begin\n"
        "dl_shipped_model_begin:\n"
        ".incbin \"" DIFFLNS_SHIPPED_MODEL "\"\n"
        ".global dl_shipped_model_end\n"
        ".hidden dl_shipped_model_end\n"
        "dl_shipped_model_end:\n"
        ".previous\n");
extern const char dl_shipped_model_begin[], dl_shipped_model_end[];

dl_status dl_shipped_model_load(dl_model **out, dl_error *err)
{
    return dl_model_parse("shipped weights", dl_shipped_model_begin,
                          (size_t)(dl_shipped_model_end - dl_shipped_model_begin), out, err);
}
#else
dl_status dl_shipped_model_load(dl_model **out, dl_error *err)
{
    *out = NULL;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "this build carries no weights: expected a model file");
}
#endif

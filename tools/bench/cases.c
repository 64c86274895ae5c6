#include "bench/cases.h"

dl_status dl_case_generate(const dl_setting *setting, uint64_t seed, dl_generator_scratch *scratch, dl_instance **out,
                           dl_error *err)
{
    dl_generate_params params;
    *out = NULL;
    DL_TRY(dl_generate_preset(setting->family, &params, err));
    params.agents = setting->agents;
    DL_TRY(dl_generate_check(&params, err));
    return dl_generate(&params, seed, scratch, out, err);
}

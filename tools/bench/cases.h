/* The cases of a setting: instances generated from consecutive seeds. */
#ifndef DL_BENCH_CASES_H
#define DL_BENCH_CASES_H

#include "generate/generate.h"
#include "generate/settings.h"

/* The instance that `difflns generate FAMILY -N AGENTS --seed SEED` makes. */
dl_status dl_case_generate(const dl_setting *setting, uint64_t seed, dl_generator_scratch *scratch, dl_instance **out,
                           dl_error *err);

#endif

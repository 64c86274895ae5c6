#include "base/isa.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAME[DL_ISAS] = {"baseline", "avx2", "avx512"};

const char *dl_isa_name(dl_isa isa)
{
    return NAME[isa];
}

/* Every feature that cmake/PerIsa.cmake lets the compiler use must be asked for here. */
static dl_isa best_of_machine(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
#define HAS(feature) __builtin_cpu_supports(#feature)
    bool avx2 = HAS(avx2) && HAS(fma) && HAS(bmi) && HAS(bmi2) && HAS(popcnt);
    bool avx512 = avx2 && HAS(avx512f) && HAS(avx512vl) && HAS(avx512bw) && HAS(avx512dq) && HAS(avx512cd);
#undef HAS
    return avx512 ? DL_ISA_AVX512 : avx2 ? DL_ISA_AVX2 : DL_ISA_BASELINE;
#else
    return DL_ISA_BASELINE;
#endif
}

static dl_isa choose(void)
{
    dl_isa best = best_of_machine();
    const char *wish = getenv("DIFFLNS_ISA");
    for (dl_isa isa = DL_ISA_BASELINE; wish && isa < best; isa++)
        if (strcmp(wish, NAME[isa]) == 0) return isa;
    return best;
}

dl_isa dl_isa_in_use(void)
{
    /* The first thread writes what every thread would find. */
    static atomic_int known; /* 0 = not yet, else the set + 1 */
    int isa = atomic_load_explicit(&known, memory_order_relaxed) - 1;
    if (isa < 0) {
        isa = (int)choose();
        atomic_store_explicit(&known, isa + 1, memory_order_relaxed);
    }
    return (dl_isa)isa;
}

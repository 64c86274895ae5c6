/* The instruction sets that hot files are compiled for (cmake/PerIsa.cmake), and which of them this machine runs. Other
 * processors than x86-64 have the baseline only: their vectors belong to it. For tools. */
#ifndef DL_BASE_ISA_H
#define DL_BASE_ISA_H

typedef enum dl_isa { DL_ISA_BASELINE, DL_ISA_AVX2, DL_ISA_AVX512, DL_ISAS } dl_isa;

/* The best one of this machine, or the one that the environment variable DIFFLNS_ISA names if that is less. Found out
 * once in a process. */
dl_isa dl_isa_in_use(void);
/* "baseline", "avx2", "avx512" */
const char *dl_isa_name(dl_isa isa);

/* A function of a table per_isa.def that calls its copy for the instruction set in use. */
#define DL_CALL_PER_ISA(name, result, parameters, arguments)                                                           \
    result name##_baseline parameters;                                                                                 \
    result name##_avx2 parameters;                                                                                     \
    result name##_avx512 parameters;                                                                                   \
    result name parameters                                                                                             \
    {                                                                                                                  \
        switch (dl_isa_in_use()) {                                                                                     \
        case DL_ISA_AVX512:                                                                                            \
            return name##_avx512 arguments;                                                                            \
        case DL_ISA_AVX2:                                                                                              \
            return name##_avx2 arguments;                                                                              \
        default:                                                                                                       \
            return name##_baseline arguments;                                                                          \
        }                                                                                                              \
    }

#endif

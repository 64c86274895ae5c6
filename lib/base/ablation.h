/* Ablation: dl_is_without(DL_TECHNIQUE_breakout) asks whether a technique of ablation.def is switched off. It never is,
 * at no cost, except in builds for measuring (cmake -DDIFFLNS_ABLATION=ON, which ./dev ablate makes): those read the
 * names from the environment, e.g. DIFFLNS_WITHOUT=breakout,hasten. For tools. */
#ifndef DL_BASE_ABLATION_H
#define DL_BASE_ABLATION_H

#include <stdbool.h>

typedef enum dl_technique {
#define TECHNIQUE(id, name, help) DL_TECHNIQUE_##id,
#include "base/ablation.def"
#undef TECHNIQUE
    DL_TECHNIQUES
} dl_technique;

#ifdef DIFFLNS_ABLATION
bool dl_is_without(dl_technique technique);
#else
static inline bool dl_is_without(dl_technique technique)
{
    (void)technique;
    return false;
}
#endif

#endif

/* Redrafting: a plan gets noise up to level k and is denoised again in a few steps of whole paths. At a small k it
 * stays nearly as it is; at k = K it is a fresh draft. Only some agents or a span of time may get noise: the rest stays
 * clean and visible to the network. The result collides, as drafts do: it is for repair to start from. For tools. */
#ifndef DL_DIFFUSION_REDRAFT_H
#define DL_DIFFUSION_REDRAFT_H

#include "diffusion/decode.h"
#include "diffusion/model.h"
#include "mapf/plan.h"

/* What new paths are drawn from. All but the first are for comparisons. */
typedef enum dl_evidence {
    DL_EVIDENCE_NETWORK,  /* what the network makes of the noisy plan */
    DL_EVIDENCE_SHUFFLED, /* the same, dealt to the wrong agents */
    DL_EVIDENCE_NOISE     /* the noisy plan itself, without a network */
} dl_evidence;

typedef struct dl_redraft_options {
    int level; /* k, from 0, which gives back the plan, to the schedule's K */
    int steps; /* passes of the network, from 1 to the level */
    dl_evidence evidence;
    const bool *agents; /* [N]: who gets noise; NULL = everybody. The others keep their paths */
    int company;        /* how many of the others the network sees, those that meet them most; 0 = all */
    int first, last;    /* actions from timestep `first` up to, not including, `last` get noise; last = 0: to the end */
    int horizon;        /* timesteps; 0: the plan's and a little rest */
    dl_path_rule rule;  /* how paths are decoded; its seed and stream do not matter */
    uint64_t seed, number; /* the same two, the same redraft */
    int threads;           /* that share a pass */
} dl_redraft_options;

/* What the model's configuration asks for: all agents, a quarter of the levels, three steps. */
dl_redraft_options dl_redraft_defaults(const dl_model *model);

/* `plan` must go legal steps from the agents' starts; it may collide. BAD_INPUT for a plan or an option that makes no
 * sense, STOPPED if the deadline passed before, OUT_OF_MEMORY; *out is NULL then. */
dl_status dl_redraft(const dl_model *model, const dl_scene *scene, const dl_plan *plan,
                     const dl_redraft_options *options, const dl_deadline *deadline, dl_plan **out, dl_error *err);

#endif

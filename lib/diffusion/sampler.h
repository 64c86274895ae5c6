/* Sampling drafts: the reverse process over strided steps, any horizon, any team size. Candidates run in parallel and
 * depend only on (seed, number): the same drafts for any number of threads. For tools. */
#ifndef DL_DIFFUSION_SAMPLER_H
#define DL_DIFFUSION_SAMPLER_H

#include "base/deadline.h"
#include "base/progress.h"
#include "diffusion/decode.h"
#include "diffusion/draft.h"
#include "diffusion/model.h"

/* How a step is taken from x_k to x_j. Order as in config.def. */
typedef enum dl_sampler {
    DL_SAMPLER_TOKENS, /* each token by its own posterior, as in the paper */
    DL_SAMPLER_PATHS   /* a whole legal path for each agent, which gets noise again: x_j then is what training showed */
} dl_sampler;

/* How the last step becomes paths. */
typedef enum dl_decoding {
    DL_DECODE_MAP,    /* the most likely legal paths */
    DL_DECODE_ARGMAX, /* legal rollout of the likeliest tokens */
    DL_DECODE_SAMPLE  /* legal rollout of drawn tokens, as the paper does; of whole paths: the most likely */
} dl_decoding;

typedef struct dl_sample_options {
    int candidates;
    uint64_t seed;
    uint64_t first;     /* number of the first candidate: further rounds go on counting */
    int steps;          /* 0: the configuration's */
    int horizon;        /* 0: dl_sample_horizon */
    double temperature; /* of the clean distribution; 1 as trained */
    dl_sampler sampler;
    dl_decoding decoding;
    double step_cost;      /* of paths, in nats a step off the goal: the lower, the more slack they keep */
    double collision_cost; /* of paths, in nats a collision with another agent; 0 = each for itself */
    int sweeps;            /* over all agents, of decoding where collisions cost */
    int threads;           /* 0: all cores */
} dl_sample_options;

/* What the model's configuration asks for, one candidate. */
dl_sample_options dl_sample_defaults(const dl_model *model);

/* The paper's sampling: all of the process's steps, each token by its posterior, the last step sampled. */
void dl_sample_as_paper(const dl_model *model, dl_sample_options *options);

/* The rule of decoding that these options come to: collisions cost what the sampler's configuration says unless the
 * options do. */
dl_path_rule dl_sample_rule(const dl_model *model, const dl_sample_options *options);

/* What dense plans of the paper's families need: from the longest distance and the density, a multiple of 16, from 48
 * to 128. 0 if the deadline (may be NULL) passed before all distances were known. */
int dl_sample_horizon(const dl_scene *scene, const dl_deadline *deadline);

/* The longest horizon that may be asked for. */
enum { DL_SAMPLE_LONGEST = 4096 };

/* 2 GB: what sampling may take, for all candidates at work at once. */
#define DL_SAMPLE_BYTES ((size_t)2 << 30)

/* Refuses an instance whose features would take more than that, with a line that says so. `chains` candidates are
 * sampled at once; horizon 0 = not known yet, the longest there is. */
dl_status dl_sample_check_memory(const dl_model *model, const dl_instance *instance, int horizon, int chains,
                                 dl_error *err);

typedef struct dl_draft {
    dl_plan *plan;
    dl_draft_reach reach;
    int horizon;
    float *log_probability; /* [N*T*C] of the clean tokens at the last step */
} dl_draft;

void dl_draft_free(dl_draft *draft);

/* Sees every candidate, from any thread, on its way: the noise (step 0), the likeliest plan under the network's
 * estimate at each step, and the draft (the last step). May be NULL. */
typedef struct dl_sample_watch {
    void (*see)(void *user, int candidate, int step, int steps, const dl_plan *plan);
    void *user;
} dl_sample_watch;

/* Fills drafts[0..candidates-1]. A deadline that comes near cuts the remaining steps short, as long as each candidate
 * has had one and there is time to decode it; otherwise DIFFLNS_STOPPED. BAD_INPUT if the instance is too large
 * (dl_sample_check_memory) or an option makes no sense; OUT_OF_MEMORY. On failure there is nothing to free. */
dl_status dl_sample_drafts(const dl_model *model, const dl_scene *scene, const dl_sample_options *options,
                           const dl_deadline *deadline, const dl_progress *progress, const dl_sample_watch *watch,
                           dl_draft *drafts, dl_error *err);

#endif

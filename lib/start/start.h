/* Starts: where candidates for repair come from. A start sets the tracks of a planner, colliding or missing ones
 * allowed; repair does the rest, so a start that solves the instance by itself only leaves nothing to do. One file per
 * start and one row each in start.def. For tools. */
#ifndef DL_START_START_H
#define DL_START_START_H

#include "base/deadline.h"
#include "base/status.h"
#include "engine/planner.h"

/* How drafts are drawn: as the model says, or as in the paper. */
typedef enum dl_start_sampling { DL_START_SAMPLED_AS_MODEL, DL_START_SAMPLED_AS_PAPER } dl_start_sampling;

/* What the starts of one solve are made from; all of it stays the caller's. */
typedef struct dl_start_input {
    const dl_instance *instance;
    dl_distance *distance;
    uint64_t seed;
    uint64_t iterations;               /* limit of a start that searches by itself; 0 = none */
    const dl_plan *plan;               /* for the start of that name; NULL = none */
    const struct difflns_model *model; /* for drafts; NULL = none */
    dl_start_sampling sampling;        /* of drafts */
    int steps, horizon;                /* of a draft: diffusion steps and timesteps; 0 = what suits */
    int choice;                        /* of the start, as in dl_start_of; 0 = auto */
} dl_start_input;

/* The starts of one solve: the input and what its candidates share. Used by all threads. */
typedef struct dl_starts dl_starts;

/* What a start that searches by itself may take, and what it took. */
typedef struct dl_start_effort {
    uint64_t
        limit; /* of steps that all agents make together: LaCAM's, which then differ from index to index; 0 = none */
    uint64_t searches; /* that take as long */
} dl_start_effort;

/* One candidate to be made. */
typedef struct dl_start_job {
    dl_starts *starts;
    const dl_start_input *input;
    dl_planner *planner;
    dl_rng rng;
    uint64_t index; /* of the candidate */
    dl_start_effort *effort;
    const dl_deadline *deadline;
} dl_start_job;

typedef enum dl_start_needs { DL_START_NEEDS_NOTHING, DL_START_NEEDS_A_MODEL, DL_START_NEEDS_A_PLAN } dl_start_needs;

/* A row of start.def. */
typedef struct dl_start {
    const char *name;
    int turn;
    bool rounds;
    dl_start_needs needs;
    /* Refuses an instance it can't start from when `threads` candidates are made at once. */
    dl_status (*check)(const dl_start_input *input, int threads, dl_error *err);
    const char *title, *help;
    /* Sets the planner's tracks; false if it has nothing to offer, or no time. */
    bool (*make)(dl_start_job *job);
} dl_start;

/* Rows 0, 1, ... of the table; NULL after the last. */
const dl_start *dl_start_at(int index);
/* NULL if there is none of that name. */
const dl_start *dl_start_find(const char *name);

/* The choices of the option `init`: "auto", then the names of the rows in their order, so that choice k > 0 is row
 * k - 1. */
extern const char DL_START_CHOICES[];
#define DL_START_AUTO "auto"
/* The start of candidate `index` under a choice: the one chosen, or for auto one after the other, drafts only with a
 * model. */
const dl_start *dl_start_of(int choice, const dl_start_input *input, int index);
/* Does `auto` begin with LaCAM? In a crowd on a map that is not small its plan comes in a tenth of the time that
 * prioritized planning takes, but costs half as much again: so both are made, and the cheaper one is improved. */
bool dl_start_begins_with_lacam(const dl_start_input *input);
/* The number of a candidate when LaCAM's, if it comes before the others, is not counted. */
int dl_start_turn(const dl_start_input *input, int index);
/* Refuses a choice that lacks what it needs on this input. */
dl_status dl_start_check(int choice, const dl_start_input *input, int threads, dl_error *err);

/* NULL when memory is out. Cheap: nothing is computed before a candidate needs it. */
dl_starts *dl_starts_create(const dl_start_input *input);
void dl_starts_free(dl_starts *starts);
const dl_start_input *dl_starts_input(const dl_starts *starts);
/* Sets the planner's tracks for candidate `index`; false if the start has nothing to offer, no time, or no memory (then
 * the planner is exhausted). The result depends on the input, `index` and the limit of `effort` alone, not on the
 * caller. `effort` may be NULL: no limit. */
bool dl_start_make(const dl_start *start, dl_starts *starts, dl_planner *planner, int index, dl_start_effort *effort,
                   const dl_deadline *deadline);

/* ---- for the files of starts ---- */

#define START(name, ...) bool dl_start_make_##name(dl_start_job *job);
#include "start/start.def"
#undef START
dl_status dl_start_check_diffusion(const dl_start_input *input, int threads, dl_error *err);
dl_status dl_start_check_lacam(const dl_start_input *input, int threads, dl_error *err);
dl_status dl_start_check_pibt(const dl_start_input *input, int threads, dl_error *err);
dl_status dl_start_check_plan(const dl_start_input *input, int threads, dl_error *err);

/* What all candidates of these starts share, made by `make` for the first caller; NULL if that failed. There is one
 * such thing so far, the network's view of the instance. */
void *dl_starts_share(dl_starts *starts, void *(*make)(const dl_start_input *input), void (*release)(void *shared));

/* Sets the tracks to the paths of a plan; those that are none stay missing. */
void dl_start_read_plan(dl_planner *planner, const dl_plan *plan);

/* The same for a plan of the instance ahead (dl_instance_ahead): each path follows the agent's prefix, and shortest
 * ways over its further goals follow the path. */
void dl_start_read_ahead(dl_planner *planner, const dl_plan *plan);

/* Lengths of the shortest paths, over as many agents as time allows: what "long" means on this map. */
typedef struct dl_start_lengths {
    double mean;
    int longest;
} dl_start_lengths;

dl_start_lengths dl_start_measure(dl_planner *planner, const dl_deadline *deadline);

#endif

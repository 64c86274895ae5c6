/* A solve at work: what all its threads share, what each of them has, and the steps it is made of, a file each. */
#ifndef DL_SOLVER_SOLVING_H
#define DL_SOLVER_SOLVING_H

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include "lns/repair.h"
#include "solver/last_resort_thread.h"
#include "solver/solve.h"
#include "solver/stop_rule.h"
#include "start/start.h"

enum { DL_NO_WINNER = INT_MAX };
/* What the report says a plan grew from that no start made. */
#define DL_PUSH_AND_SWAP "push-and-swap"

typedef struct dl_improver dl_improver;

/* What all threads share. Behind `lock` unless said otherwise. */
typedef struct dl_solving {
    const dl_instance *instance;
    dl_scratch *scratch; /* without the lock: each worker has its own place */
    const dl_solve_input *input;
    const dl_options *options;
    double seconds; /* the time limit; infinite = none */
    dl_distance *distance;
    dl_starts *starts;
    bool in_rounds; /* candidates come in rounds: see round_of() */
    bool from_plan; /* every candidate starts from the given plan */
    dl_deadline deadline;
    double began;
    bool repeatable; /* limited by iterations */
    bool by_number;  /* candidates are judged by number, not by which is first: where limited by iterations, and as in
                        the paper */
    pthread_mutex_t lock;
    pthread_mutex_t telling; /* one listener's call at a time */
    int next;                /* number of the next candidate */
    uint64_t granted;        /* iterations handed out to candidates */
    atomic_int winner;       /* the lowest number of a repaired candidate; read without the lock */
    dl_candidate *candidate;
    int candidate_room;
    dl_stop_rule rule; /* when to hand over */
    dl_track *best;    /* [agents]: the best valid plan */
    int64_t best_soc;
    int64_t lower_bound;  /* the sum of distances, for the rule that ends a solve; -1 = nobody asked yet */
    int64_t fewest_pairs; /* of report->colliding; -1 = there is none */
    dl_last_resort_thread last_resort;
    bool is_crowded;       /* so full that the last resort makes its plan early, and that is improved beside repair */
    atomic_bool reserved;  /* the best plan is that of last resort or grew beside repair; read without the lock */
    atomic_bool repaired;  /* a candidate was; read without the lock */
    atomic_int repairing;  /* workers that repair candidates; read without the lock */
    dl_plan *as_it_is;     /* the plan of last resort, checked when it was made: nothing more is done with it */
    atomic_int hopeless;   /* candidates in a row that were given up far from their end; read without the lock */
    atomic_bool exhausted; /* memory ran out somewhere: that thread stopped, and the others went on */
    dl_report *report;
} dl_solving;

typedef struct dl_worker {
    dl_solving *s;
    int number;
    dl_planner *planner;
    dl_repair repair;
    double next_report;
    bool has_plan;       /* its table holds a plan it repaired, which grew ... */
    const char *init;    /* ... from this start ... */
    dl_plan *grew_from;  /* ... if that is kept and the report has another one */
    dl_improver *beside; /* lowers the cost of the plan of last resort while this worker repairs; NULL = not yet */
    bool is_alone;       /* there is no memory for that */
} dl_worker;

/* ---- best_plan.c: the best valid plan so far, under the lock ---- */

/* Keeps these tracks [agents] as the best plan. False when memory is out: the best plan is as it was. */
bool dl_best_publish(dl_solving *s, const dl_track *track, int64_t soc);

/* The same for a worker's plan that must not be lost: without memory for a copy the worker gives its tracks away. */
void dl_best_take(dl_worker *w, int64_t soc);

/* Makes the planner's table that of the best plan; false if there was no time or memory for all of it. */
bool dl_best_adopt(const dl_solving *s, dl_planner *p, const dl_deadline *deadline);

int dl_best_makespan(const dl_solving *s);

/* Makes a valid plan the best one; false when memory is out. */
bool dl_best_read(dl_solving *s, const dl_plan *plan);

/* The best plan; NULL when memory is out. */
dl_plan *dl_best_write(const dl_solving *s);

/* ---- workers.c ---- */

/* Takes a planner, unless the worker has one; false when memory is out, here and below. */
bool dl_worker_equip(dl_worker *w);
/* How many iterations fill a burst, the time between two looks up from work; from the last one. */
uint64_t dl_burst_after(uint64_t iterations, double seconds);
/* Would most of the time left go into handling a plan of this length? */
bool dl_time_is_short(const dl_solving *s, int makespan);
/* Runs a phase on all workers; the first is the calling thread. */
void dl_run_phase(dl_worker *workers, int threads, void *(*phase)(void *));

/* ---- tell.c: what a listener hears ---- */

/* One call at a time, and never under `lock`, which a listener needs for a copy of the plan. */
void dl_tell(dl_solving *s, difflns_event_type type, int64_t conflicts, int64_t soc, uint64_t iterations);
/* Is it time for the first worker to say how far it is? */
bool dl_tell_is_due(dl_worker *w);

/* ---- repair_phase.c: candidates, repaired until one has no conflicts ---- */

void *dl_repair_phase(void *argument);
/* A given plan without collisions is the first plan at once: without a proof that there is one, other threads, or a
 * last resort. Otherwise nothing has happened. */
bool dl_solved_already(dl_worker *w);
/* How many candidates count once there is a winner: its round and those before. What else had begun is chance. */
int dl_counted_candidates(const dl_solving *s);

/* ---- last_resort_phase.c: the plan of last resort takes the place of a repaired one ---- */

/* Prepares the last resort; on a full board, with a spare core, or if somebody is still at work late in the limit, it
 * runs beside repair. */
void dl_last_resort_prepare(dl_solving *s, int threads);
/* Is it time for this worker to give way to the plan of last resort? On a full board all but the first do at once, and
 * the first when repair has no hope. */
bool dl_repair_gives_way(const dl_worker *w);
/* Repair is over: without any plan that of last resort takes its place, as one more candidate; then true. */
bool dl_last_resort_use(dl_solving *s);

/* ---- improve_phase.c: the cost of the best plan is lowered ---- */

/* Should the best plan be handed over: by the rule, or because there is none better? For solves by time. */
bool dl_is_time_to_stop(dl_solving *s);
/* There is a plan of last resort, and this worker has repaired another one for `seconds`: if there is no other worker,
 * it lowers the cost of the former for a while, and says how long. */
double dl_improve_beside(dl_worker *w, double seconds);
/* Publishes what that came to, and ends it. */
void dl_improve_beside_end(dl_worker *w);
/* Is there a plan, and time to improve it? */
bool dl_worth_improving(dl_solving *s);
/* A worker improves the best plan, or the one it repaired. */
void *dl_improve_phase(void *argument);

#endif

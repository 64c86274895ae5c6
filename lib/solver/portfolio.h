/* The portfolio of a solve at work: what all its threads share, what each of them has, and the table of policies. One
 * loop for every thread (portfolio.c) takes the first policy that is due (policies.c), runs its descent a slice,
 * judges, and publishes (publish.c). */
#ifndef DL_SOLVER_PORTFOLIO_H
#define DL_SOLVER_PORTFOLIO_H

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include "lns/descent.h"
#include "solver/last_resort.h"
#include "solver/solve.h"
#include "solver/stop_rule.h"
#include "start/start.h"

enum { DL_NO_WINNER = INT_MAX };
/* What the report says a plan grew from that no start made. */
#define DL_PUSH_AND_SWAP "push-and-swap"

typedef struct dl_worker dl_worker;
typedef struct dl_policy dl_policy;

/* The last resort is made once, by one worker. */
typedef enum dl_resort_stage {
    DL_RESORT_AHEAD,
    DL_RESORT_AT_WORK,
    DL_RESORT_READY,     /* there is a plan, kept back as long as repair may find a cheaper one */
    DL_RESORT_UNUSED,    /* there is none, or it came too late */
    DL_RESORT_HANDED_IN, /* it was the best plan */
    DL_RESORT_RETRIED    /* ... and LaCAM has had its second try */
} dl_resort_stage;

typedef struct dl_resort {
    dl_last_resort_options options;
    double due; /* on the clock of dl_now() */
    atomic_int stage;
    dl_last_resort_result result; /* its worker's alone; once that is gone, anyone's */
    double made;                  /* on the clock of dl_now() */
    atomic_int cancel;            /* it is not wanted any more */
} dl_resort;

/* What all threads share. What is not atomic and not set before they begin is behind `lock`. */
typedef struct dl_portfolio {
    const dl_instance *instance;
    const dl_solve_input *input;
    const dl_options *options;
    dl_scratch *scratch; /* each worker has its own places */
    dl_distance *distance;
    dl_starts *starts;
    double seconds; /* the time limit; infinite = none */
    dl_deadline deadline;
    double began;
    int threads;           /* that search */
    bool has_extra_worker; /* for the last resort; set before any other thread begins */
    atomic_int workers;    /* of both kinds */
    atomic_int idle;       /* of those: they wait for others, or have left */
    atomic_bool is_over;   /* by a rule for handing over that counts iterations, or the best plan is optimal */
    pthread_mutex_t lock;
    pthread_mutex_t telling;  /* one listener's call at a time */
    int next;                 /* number of the next candidate */
    uint64_t granted;         /* iterations handed out to candidates */
    atomic_int winner;        /* the lowest number of a repaired candidate; DL_NO_WINNER = none */
    atomic_int repairing;     /* candidates at work */
    atomic_int hopeless;      /* candidates in a row that were given up far from their end */
    dl_candidate *candidate;  /* [next] */
    int candidate_room;       /* one place more than is used is kept for the last resort */
    dl_stop_rule rule;        /* when to hand over */
    dl_track *best;           /* [agents]: the best valid plan */
    _Atomic int64_t best_soc; /* -1 = there is none */
    dl_plan *as_it_is;        /* the plan of last resort, checked when it was made: nothing more is done with it */
    int64_t fewest_pairs;     /* of report->colliding; -1 = there is none */
    atomic_bool exhausted;    /* memory ran out somewhere: that thread stopped, and the others went on */
    dl_resort resort;
    dl_report *report;
} dl_portfolio;

/* Places for descents of a worker. */
typedef enum dl_place { DL_CANDIDATE, DL_CHAMPION, DL_CHALLENGER, DL_PLACES } dl_place;

typedef struct dl_lane {
    const dl_policy *policy; /* whose descent is here; NULL = none */
    dl_worker *worker;
    dl_planner *planner; /* kept from one descent to the next; NULL = none was needed yet */
    dl_descent descent;
    const dl_start *start; /* where its tracks come from; NULL = the best plan */
    int index;             /* of the start */
    dl_start_effort effort;
    dl_deadline deadline;
    const char *init;   /* what its plan grew from */
    dl_plan *grew_from; /* ... if that is kept */
    uint64_t budget;    /* iterations before it may be given up */
    bool is_tight;      /* ... and will be */
    uint64_t burst;     /* iterations that take as long as two looks up from work are apart */
    int64_t conflicts;  /* at the start; -1 = it was not made */
    double seconds;     /* of work */
    bool is_own;        /* its plan was repaired by this worker */
    bool is_late;       /* ... while another one was lowered already */
    bool is_prepared;   /* for lowering: see lane_prepare() */
    bool is_new_round;  /* the last slice began one */
} dl_lane;

struct dl_worker {
    dl_portfolio *f;
    int number; /* the first is the calling thread; number f->threads has only the last resort */
    dl_lane lanes[DL_PLACES];
    dl_lane *lane[DL_PLACES];              /* by place: a descent changes its place as its role changes */
    double next_report, next_exchange;     /* on the clock of dl_now() */
    double repair_seconds, beside_seconds; /* while both take turns */
    uint64_t lowered;                      /* iterations of champions and challengers */
    uint64_t searches, challenged;         /* of champions and challengers; of challengers alone */
    uint64_t pause;                        /* searches before which there is no challenge */
    int challenges, failed_challenges;     /* all; in a row, whose start could not be repaired */
    int failed_starts;                     /* in a row, that could not be made */
    int planners;                          /* it took from the scratch */
    int slices;                            /* of champions, where iterations are limited */
    int measured;                          /* agents whose distance it has asked for, from the last */
    bool cannot_repair, cannot_lower;      /* there is no memory for it */
};

/* ---- the table ---- */

typedef enum dl_who {
    DL_WHO_ASKED,
    DL_WHO_TRAFFIC,
    DL_WHO_LACAM,
    DL_WHO_BEST,
    DL_WHO_MEASURE,
    DL_WHO_PUSHED,
    DL_WHO_HAND_IN,
    DL_WHO_LAST_LACAM
} dl_who;
typedef enum dl_how_long { DL_FOR_ONCE, DL_FOR_PATIENCE, DL_FOR_STUCK, DL_FOR_SETTLED } dl_how_long;
typedef enum dl_against { DL_AGAINST_NONE, DL_AGAINST_CHAMPION } dl_against;

struct dl_policy {
    const char *name;
    dl_who who;
    bool (*when)(const dl_worker *w, const dl_policy *policy);
    dl_how_long how_long;
    dl_against against;
};

/* The first row that is due; NULL = none is. */
const dl_policy *dl_policy_due(const dl_worker *w);
/* Rows 0, 1, ... of the table; NULL after the last. */
const dl_policy *dl_policy_at(int index);

/* ---- portfolio.c ---- */

/* A given plan without collisions is the first plan at once: without a proof that there is one, other threads, or a
 * last resort. Otherwise its descent goes on later. */
void dl_portfolio_begin(dl_worker *first);
/* Ends what is in a lane. */
void dl_lane_close(dl_lane *lane);
/* All workers, [f->threads + 1], until nothing more is to be done. */
void dl_portfolio_run(dl_portfolio *f, dl_worker *workers);

/* ---- publish.c: the best plan, the report, and what a listener hears ---- */

int dl_best_makespan(const dl_portfolio *f);
/* The best plan; NULL when memory is out. */
dl_plan *dl_best_write(const dl_portfolio *f);
/* Enters what became of a candidate in the report; if it won, its plan may be the best one. True if it won. */
bool dl_publish_candidate(dl_worker *w, dl_lane *lane);
/* The champion's plan becomes the best one if it costs less. */
void dl_publish_champion(dl_worker *w, dl_lane *champion);
/* If the best plan is cheaper enough, the champion goes on from that, and there is no challenger any more. False if
 * memory or time is out. */
DL_MUST_CHECK bool dl_take_up_better(dl_worker *w, dl_lane *champion, bool between_rounds);
/* Puts the best plan into an empty champion. False if memory or time is out. */
DL_MUST_CHECK bool dl_take_up_best(dl_worker *w, dl_lane *champion);
/* The plan of last resort becomes the best one: as it is, if nothing more is to be done with it. */
void dl_publish_last_resort(dl_portfolio *f, bool as_it_is);
/* ... and LaCAM's, found later, if it is cheaper. */
void dl_publish_lacam(dl_portfolio *f, const dl_plan *plan);

/* One call at a time, and never under `lock`, which a listener needs for a copy of the plan. */
void dl_tell(dl_portfolio *f, difflns_event_type type, int64_t conflicts, int64_t soc, uint64_t iterations);
/* Tells how far the first worker is, now and then. */
void dl_tell_progress(dl_worker *w, const dl_descent *descent);

#endif

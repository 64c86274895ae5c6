/* The thread that makes the plan of last resort while others repair, so that there is one when
 * the time limit comes. It sleeps until it is due; the plan is asked for only if nobody found a better one. */
#ifndef DL_SOLVER_LAST_RESORT_THREAD_H
#define DL_SOLVER_LAST_RESORT_THREAD_H

#include <pthread.h>

#include "solver/last_resort.h"

typedef struct dl_last_resort_thread {
    const dl_instance *instance;
    dl_distance *distance;
    dl_last_resort_options options;
    double due, end; /* on the clock of dl_now(): when to begin, when to be done */
    pthread_t thread;
    bool running;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* one of what follows */
    bool hurry;             /* begin at once */
    atomic_int enough;      /* stop at once */
    atomic_int ready;
    dl_last_resort_result result; /* once ready */
    double finished;              /* on the clock of dl_now() */
    atomic_int ready_again;
    dl_plan *again; /* once ready again: another plan, NULL = none; where the first was made quickly */
} dl_last_resort_thread;

/* Seconds between two looks for a request to stop while the plan is waited for. */
#define DL_LAST_RESORT_LOOK 0.01

/* False if no thread could be started: then nothing runs, and dl_last_resort_use makes the plan. */
bool dl_last_resort_begin(dl_last_resort_thread *r);
/* Waits for the thread: until the plan is there (at the latest r->end) if it is `wanted`, otherwise not longer than it
 * takes to stop. The plan, if any, is the caller's. */
void dl_last_resort_finish(dl_last_resort_thread *r, bool wanted, const dl_deadline *deadline);

static inline bool dl_last_resort_has_plan(dl_last_resort_thread *r)
{
    return atomic_load(&r->ready) && r->result.plan;
}

#endif

/* What a listener is told while a solve is at work. */
#ifndef DL_SOLVER_EVENT_H
#define DL_SOLVER_EVENT_H

#include "base/status.h"
#include "mapf/plan.h"

struct difflns_event {
    difflns_event_type type;
    double seconds;
    int64_t conflicts, soc;
    uint64_t iterations;
    /* The best valid plan as a new object; UNSOLVED if there is none yet. */
    dl_status (*copy_best)(void *solve, dl_plan **out, dl_error *err);
    void *solve;
};

#endif

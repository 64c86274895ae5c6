/* A fleet and the world it drives in: tasks arrive, robots are late, and what really happens is checked by itself. */
#ifndef DL_LIVE_SIMULATION_H
#define DL_LIVE_SIMULATION_H

#include <stdatomic.h>

#include "base/progress.h"
#include "live/tasks.h"
#include "mapf/map.h"

typedef struct dl_live_settings {
    dl_map *map;
    int robots;
    int64_t ticks;
    const dl_live_tasks *tasks; /* NULL: every robot gets a random goal whenever it has reached its own, or can't */
    int window;                 /* 0 = what suits */
    double deadline;            /* of a plan, in milliseconds */
    int64_t iterations;         /* of improvement per plan, instead of a deadline; -1 = by deadline; 0 = PIBT alone */
    const char *guidance;       /* as difflns_fleet_set_guidance has it; NULL = its default */
    double delay;               /* probability that a robot fails to move in a tick */
    uint64_t seed;
    const atomic_int *stop; /* non-zero ends the run after the tick at work; may be NULL */
} dl_live_settings;

/* One tick. */
typedef struct dl_live_tick {
    double plan_ms;     /* by the clock on the wall */
    double cpu_ms;      /* of this thread: what plan_ms is on an idle machine */
    int reached;        /* goals */
    int moved, delayed; /* robots that moved, that wanted to and could not */
} dl_live_tick;

/* A goal given to a robot. */
typedef struct dl_live_goal {
    int64_t tick;
    int robot;
    dl_cell cell;
} dl_live_goal;

typedef struct dl_live_run {
    int robots;
    int window; /* steps, as used */
    int64_t ticks;
    dl_live_tick *tick;    /* [ticks] */
    int64_t reached;       /* goals in all */
    int64_t late;          /* ticks whose plan took longer than the deadline and a millisecond */
    int64_t collisions;    /* robots on one cell, or exchanging cells: counted from where they really were */
    int64_t longest_still; /* ticks that a robot with a task, at worst, went without a move */
    int64_t longest_task;  /* ticks from one goal to the next that a robot, at worst, took, or has taken at the end */
    int never_reached;     /* robots that had goals and reached none */
    int64_t escorted;      /* ticks in which a robot was escorted */
    int64_t taken_back;    /* random goals that robots could not reach, wherever the others go */
    dl_cell *at;           /* [ticks + 1][robots] where they really were; NULL unless kept */
    int goals, goal_room;
    dl_live_goal *goal; /* in order of ticks; NULL unless kept */
} dl_live_run;

/* `keep`: positions and goals, for a page. Release the run, also after a failure. */
dl_status dl_live_simulate(const dl_live_settings *settings, bool keep, const dl_progress *progress, dl_live_run *run,
                           dl_error *err);
void dl_live_run_free(dl_live_run *run);

typedef enum dl_live_clock { DL_LIVE_WALL, DL_LIVE_CPU } dl_live_clock;

/* The plan times' value that `share` of the ticks do not exceed, in milliseconds. */
double dl_live_percentile(const dl_live_run *run, dl_live_clock clock, double share);

#endif

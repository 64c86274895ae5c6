/* The tasks of a fleet in motion: a file of "tick robot row col" or, for any free robot, "tick row col"; a lifelong
 * scenario of POGEMA; or a problem of the League of Robot Runners, whose tasks go round the robots. */
#ifndef DL_LIVE_TASKS_H
#define DL_LIVE_TASKS_H

#include <stdint.h>

#include "mapf/map.h"

enum { DL_ANY_ROBOT = -1 };

typedef struct dl_live_task {
    int64_t tick;
    int robot; /* DL_ANY_ROBOT: any that is free */
    difflns_cell goal;
    int line; /* 0 = none in particular */
} dl_live_task;

typedef struct dl_live_tasks {
    int count;
    dl_live_task *task; /* in order of ticks, then of lines */
    int reveal;         /* goals that a robot knows of at a time, all of them tasks of robots; 0: all that are due */
    int starts;
    difflns_cell *start; /* [starts] where the robots begin; NULL: the file does not say */
} dl_live_tasks;

/* Blank lines and those that begin with '#' are skipped. Refuses with file and line what is malformed, robots there are
 * none of, and goals that are no cell of the largest connected part of the map, where the robots are.
 * `robots` 0: as many as the file has starts for. */
dl_status dl_live_tasks_read(const char *path, const dl_grid *grid, int robots, dl_live_tasks *out, dl_error *err);
void dl_live_tasks_free(dl_live_tasks *tasks);

#endif

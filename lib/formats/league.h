/* Problems of the League of Robot Runners: a JSON file that names a map, a file of robots and a file of tasks. A task
 * is one errand (2023) or several to be run in order (2024). For tools. */
#ifndef DL_FORMATS_LEAGUE_H
#define DL_FORMATS_LEAGUE_H

#include "mapf/instance.h"

/* Squares are numbered row * width + col, as in the league's files. */
typedef struct dl_league {
    dl_grid *grid;
    char *map_name; /* base name */
    int robots;
    int32_t *start; /* [robots] squares */
    double reveal;  /* tasks per robot that are known at a time; 0: not said */
    int tasks;
    int32_t *first;  /* [tasks + 1]: the errands of task i are errand[first[i]] .. errand[first[i + 1] - 1] */
    int32_t *errand; /* squares */
} dl_league;

bool dl_league_looks_like(const char *data, size_t size);
/* `path` is where the files it names are looked for. On failure there is nothing to free. */
dl_status dl_league_read(const char *path, const char *data, size_t size, dl_league *out, dl_error *err);
void dl_league_free(dl_league *league);

/* What of it is a single plan's matter: each robot, in order, gets the first errand of the next task whose cell nobody
 * else has as a goal. *tasks is the caller's, to free(). BAD_INPUT if there are too few. */
dl_status dl_league_deal(const char *path, const dl_league *league, dl_task **tasks, dl_error *err);

#endif

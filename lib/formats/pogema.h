/* POGEMA's YAML files. Maps: name -> block string of `.` (free), `#` (obstacle), a-z (start of an agent), A-Z (its
 * goal),
 * `@ $ !` (free: where POGEMA may place agents, goals, neither). Scenarios: name -> {agents_xy, targets_xy, map_name,
 * seed}, cells as [row, col], at the top or under "scenarios". For tools. */
#ifndef DL_FORMATS_POGEMA_H
#define DL_FORMATS_POGEMA_H

#include <stdio.h>

#include "base/memory.h"
#include "mapf/instance.h"

typedef struct dl_pogema dl_pogema; /* a file, parsed */

/* True if the text looks like YAML rather than MovingAI: no line "type ..." or "version ..." first, and a colon. */
bool dl_pogema_looks_like(const char *data, size_t size);
/* `name` is for messages and must outlive the result. */
dl_status dl_pogema_parse(const char *name, const char *data, size_t size, dl_pogema **out, dl_error *err);
void dl_pogema_free(dl_pogema *file);

/* The map called `wanted` (NULL: the only one). *found is its name. The agents its letters show go to *tasks. All three
 * are the caller's, to free(); a map without letters gives *count = 0. */
dl_status dl_pogema_read_map(const dl_pogema *file, const char *wanted, dl_grid **grid, char **found, dl_task **tasks,
                             int *count, dl_error *err);
/* The scenario called `wanted` (NULL: the only one). *map_name (NULL if not stated) and *tasks are the caller's. */
dl_status dl_pogema_read_scenario(const dl_pogema *file, const char *wanted, char **map_name, dl_task **tasks,
                                  int *count, dl_error *err);

/* Of a lifelong scenario: where each agent starts, and the goals it visits one after the other. */
typedef struct dl_queues {
    int agents;
    difflns_cell *start; /* [agents] */
    int32_t *first;      /* [agents + 1]: agent i's goals are goal[first[i]] .. goal[first[i + 1] - 1] */
    difflns_cell *goal;
} dl_queues;

/* The scenario called `wanted` (NULL: the only one), whose targets_xy hold a cell or a list of cells for each agent. On
 * failure there is nothing to free. */
dl_status dl_pogema_read_queues(const dl_pogema *file, const char *wanted, dl_queues *out, dl_error *err);
void dl_queues_free(dl_queues *queues);

/* A maps file with this one map, a scenarios file with this one scenario; the name is the map's without ".map". */
/* False when memory is out. */
DL_MUST_CHECK bool dl_pogema_write_map(FILE *stream, const dl_instance *instance);
DL_MUST_CHECK bool dl_pogema_write_scenario(FILE *stream, const dl_instance *instance);

#endif

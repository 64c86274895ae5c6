/* MovingAI .map and .scen files. For tools. */
#ifndef DL_FORMATS_MOVINGAI_H
#define DL_FORMATS_MOVINGAI_H

#include <stdio.h>

#include "mapf/instance.h"

/* `.`, `G`, `S` and `E` are free, `@ O T W` blocked, any other letter is refused. `name` is for messages. */
dl_status dl_movingai_read_map(const char *name, const char *data, size_t size, dl_grid **out, dl_error *err);
/* The first `wanted` rows (0 = all). *tasks is the caller's, to free(). The stated map size must be the grid's. */
dl_status dl_movingai_read_scen(const char *name, const char *data, size_t size, const dl_grid *grid, int wanted,
                                dl_task **tasks, int *count, dl_error *err);
void dl_movingai_write_map(FILE *stream, const dl_grid *grid);
void dl_movingai_write_scen(FILE *stream, const dl_instance *instance);

#endif

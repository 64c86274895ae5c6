/* Costs of edges as a file: JSON, by direction rows of extra units a step (edge_costs.h), null where a step must not be
 * made. */
#ifndef DL_FLEET_GUIDANCE_FILE_H
#define DL_FLEET_GUIDANCE_FILE_H

#include "mapf/edge_costs.h"

/* Refuses files that are none or belong to a map of another size. */
dl_status dl_guidance_read(const char *path, const dl_grid *grid, dl_edge_costs **out, dl_error *err);
dl_status dl_guidance_write(const dl_edge_costs *costs, const dl_grid *grid, const char *path, dl_error *err);

#endif

/* MAPF-LNS2 path text: one line per agent, "Agent 0:(row,col)->(row,col)->". EECBS puts a blank after the colon, and
 * some relatives write (col,row). */
#ifndef DL_MAPF_PLAN_PATHS_H
#define DL_MAPF_PLAN_PATHS_H

#include <stdio.h>

#include "mapf/plan.h"

/* With DIFFLNS_ORDER_AUTO the order is the one in which more first cells are the agents' starts; refused when both fit
 * all of them. */
dl_status dl_plan_paths_read(const dl_instance *instance, const char *name, const char *data, size_t size,
                             difflns_order order, dl_plan **out, dl_error *err);
/* MAPF-LNS2's own form: (row,col), no blank, no waits after the last arrival. */
void dl_plan_paths_write(FILE *stream, const dl_plan *plan);

#endif

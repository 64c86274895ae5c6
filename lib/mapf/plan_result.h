/* The result file of LaCAM and PIBT, as mapf-visualizer reads it: key=value lines, then one line per time step with the
 * cells (x,y) = (col,row) of all agents. */
#ifndef DL_MAPF_PLAN_RESULT_H
#define DL_MAPF_PLAN_RESULT_H

#include <stdio.h>

#include "mapf/plan.h"

/* An orientation after a cell, "(0,0,Y_MINUS)", is accepted and dropped. */
dl_status dl_plan_result_read(const char *name, const char *data, size_t size, dl_plan **out, dl_error *err);
DL_MUST_CHECK bool dl_plan_result_write(FILE *stream, const dl_instance *instance, const dl_plan *plan);

#endif

/* Plans of the MAPF tracker: a string over u d l r w for each agent, runs as a number ("4r"), from its start. */
#ifndef DL_MAPF_PLAN_TRACKER_H
#define DL_MAPF_PLAN_TRACKER_H

#include <jansson.h>
#include <stdio.h>

#include "mapf/plan.h"

/* The tracker's JSON: an object with "solution_plan" (one string with newlines, or a list), or a list of such objects,
 * of which the one with the instance's number of agents is taken. */
dl_status dl_plan_tracker_read_json(const dl_instance *instance, const char *name, const json_t *root, dl_plan **out,
                                    dl_error *err);
/* The tracker's CSV: a header line with a column "solution_plan" or "path"; rows are chosen as above. */
dl_status dl_plan_tracker_read_csv(const dl_instance *instance, const char *name, const char *data, size_t size,
                                   dl_plan **out, dl_error *err);
/* Plain strings, one line per agent. */
dl_status dl_plan_tracker_read_text(const dl_instance *instance, const char *name, const char *data, size_t size,
                                    dl_plan **out, dl_error *err);
/* The JSON object. A step that is none (a jump) can't be said in this format: BAD_INPUT. */
dl_status dl_plan_tracker_write(FILE *stream, const dl_instance *instance, const dl_plan *plan, dl_error *err);

#endif

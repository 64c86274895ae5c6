/* Our own JSON plan: {"format": "difflns-plan", "version": 1, ..., "paths": [[[row, col], ...], ...]}. */
#ifndef DL_MAPF_PLAN_JSON_H
#define DL_MAPF_PLAN_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "mapf/plan.h"

enum { DL_PLAN_JSON_VERSION = 1 };

dl_status dl_plan_json_read(const char *name, const json_t *root, dl_plan **out, dl_error *err);
/* False when memory is out. */
DL_MUST_CHECK bool dl_plan_json_write(FILE *stream, const dl_instance *instance, const dl_plan *plan);

#endif

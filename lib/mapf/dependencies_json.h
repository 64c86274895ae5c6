/* A plan's dependencies as JSON: {"format": "difflns-dependencies", "version": 1, ..., "paths": [[[row, col], ...],
 * ...], "dependencies": [[agent, step, other, other_step], ...], "rotations": [[[agent, step], ...], ...]}. Written
 * only. */
#ifndef DL_MAPF_DEPENDENCIES_JSON_H
#define DL_MAPF_DEPENDENCIES_JSON_H

#include <stdio.h>

#include "mapf/plan.h"

enum { DL_DEPENDENCIES_JSON_VERSION = 1 };

/* Refuses the plans that dl_dependencies_create refuses. */
dl_status dl_dependencies_json_write(FILE *stream, const dl_instance *instance, const dl_plan *plan, dl_error *err);

#endif

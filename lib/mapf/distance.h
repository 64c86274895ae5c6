/* The distances of an instance's agents to their goals: a light view on the fields its map keeps. Shared by all
 * threads. For tools. */
#ifndef DL_MAPF_DISTANCE_H
#define DL_MAPF_DISTANCE_H

#include "base/deadline.h"
#include "mapf/field.h"
#include "mapf/instance.h"

typedef struct dl_distance dl_distance;

/* Keeps a reference to `instance`, which must outlive it. NULL when memory is out. */
dl_distance *dl_distance_create(const dl_instance *instance);
void dl_distance_free(dl_distance *distance);
/* What is not measured by the deadline is not measured. Set it before threads share the view. */
void dl_distance_until(dl_distance *distance, dl_deadline deadline);
bool dl_distance_is_late(const dl_distance *distance);

/* The field of the agent's goal, which stays valid until released; release what was acquired, soon. NULL when memory
 * or time is out. */
const dl_field *dl_distance_acquire(dl_distance *distance, int agent);
void dl_distance_release(dl_distance *distance, int agent);
/* The same for goal number `goal` of the agent, counted from 0; its last one is the goal above. */
const dl_field *dl_distance_acquire_goal(dl_distance *distance, int agent, int goal);
void dl_distance_release_goal(dl_distance *distance, int agent, int goal);
/* True if something could not be measured for want of memory. */
bool dl_distance_starved(const dl_distance *distance);

/* True if the map may keep whole fields of all agents at once. */
bool dl_distance_whole(const dl_distance *distance);
/* Makes all fields in parallel if the map may keep them, as far as time allows (NULL: no limit); otherwise does
 * nothing. threads = 0: all cores. */
void dl_distance_fill(dl_distance *distance, int threads, const dl_deadline *deadline);

/* From the agent's start to its goal, remembered even when the field is not; for an agent with an errand the least its
 * path can cost. DL_UNREACHABLE if no way leads there or memory or time is out. */
int dl_distance_of_start(dl_distance *distance, int agent);
/* Sum over agents of the distance from start to goal, as above; -1 if a goal can't be reached. */
int64_t dl_distance_lower_bound(dl_distance *distance);
/* The same as far as it is known without making fields after the deadline; -1 if it is not. */
int64_t dl_distance_lower_bound_within(dl_distance *distance, const dl_deadline *deadline);

#endif

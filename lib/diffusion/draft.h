/* From tokens to a plan repair can start from: every path is legal by itself and ends on its goal. NULL when memory is
 * out, or the time the scene has for its distances. */
#ifndef DL_DIFFUSION_DRAFT_H
#define DL_DIFFUSION_DRAFT_H

#include "base/arena.h"
#include "base/deadline.h"
#include "diffusion/decode.h"
#include "mapf/collisions.h"

/* How far the paths came by themselves, before they were completed with shortest paths. */
typedef struct dl_draft_reach {
    int at_goal;       /* agents */
    int64_t remaining; /* sum over agents of the distance left */
} dl_draft_reach;

/* The paper's preprocessing of the tokens [N*T]: legal rollout (moves off the map or into obstacles become waits), the
 * suffix after the first arrival removed, unfinished paths completed with a shortest path. */
DL_MUST_CHECK dl_plan *dl_draft_roll_out(const dl_scene *scene, int horizon, const uint8_t *token,
                                         dl_draft_reach *reach);

/* Whole paths decoded from the network's log-probabilities [N*T*C] (decode.h), completed likewise. NULL if the
 * deadline (may be NULL) passed before, too. */
DL_MUST_CHECK dl_plan *dl_draft_decode(const dl_scene *scene, int horizon, const float *log_probability,
                                       const dl_path_rule *rule, const int32_t *order, dl_likeliest *planner,
                                       const dl_deadline *deadline, dl_draft_reach *reach);

/* The plan of legal paths cells [N*(T+1)], without the rest on their goals, completed likewise. */
DL_MUST_CHECK dl_plan *dl_draft_of_cells(const dl_scene *scene, int horizon, const dl_cell *cells,
                                         dl_draft_reach *reach);

/* Independent shortest paths: the draft of a network that says nothing. */
DL_MUST_CHECK dl_plan *dl_draft_shortest_paths(const dl_scene *scene);

#endif

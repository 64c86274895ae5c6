/* Plan dependencies: a plan as a partial order, for execution under delays. Whatever the clocks say, every cell is
 * visited in the planned order: an agent may enter a cell only once the visitor before it has left, or in the same
 * instant. That alone rules out collisions, swaps and deadlocks (docs/dependencies.md has the argument). For tools. */
#ifndef DL_ORDER_DEPENDENCIES_H
#define DL_ORDER_DEPENDENCIES_H

#include "mapf/plan.h"

typedef struct difflns_dependencies dl_dependencies;

/* Steps count moves, not time: waits are dropped. Step k of an agent takes it from cell k - 1 to cell k of its path
 * without waits, and begins its visit number k there; visit 0 begins with the plan. The visits of all agents stand in
 * one row, agent after agent. */
struct difflns_dependencies {
    int agents;
    int32_t *first;     /* [agents + 1]: an agent's visits are first[agent] .. first[agent + 1] - 1 */
    int32_t *agent;     /* [visits]: whose */
    difflns_cell *cell; /* [visits]: where */
    /* [visits]: the step that begins this visit may be made only once the one that begins visit after[v], another
     * agent's next visit after its stay here, has been made, or in the same instant; -1 = no need to ask. */
    int32_t *after;
    int32_t *rotation; /* [visits]: steps with one number close a ring and are made in one instant; -1 = none */
    int32_t count;     /* of dependencies: entries of after[] that are not -1 */
    int32_t rotations;
    void *memory; /* of the arrays of visits */
};

/* Transitively reduced: nothing listed follows from the rest. Refuses with BAD_INPUT a plan that is not the instance's
 * or that collides, jumps or leaves the free cells; it may end before the goals. */
dl_status dl_dependencies_create(const dl_instance *instance, const dl_plan *plan, dl_dependencies **out,
                                 dl_error *err);
void dl_dependencies_free(dl_dependencies *dependencies);
/* Fills list[count], in order of agent and step. */
void dl_dependencies_list(const dl_dependencies *dependencies, difflns_dependency *list);

static inline int32_t dl_dependencies_steps(const dl_dependencies *dependencies, int agent)
{
    return dependencies->first[agent + 1] - dependencies->first[agent] - 1;
}

/* The number of the step that begins a visit, 0 for a start. */
static inline int32_t dl_dependencies_step(const dl_dependencies *dependencies, int32_t visit)
{
    return visit - dependencies->first[dependencies->agent[visit]];
}

#endif

/* The public interface: plan dependencies. */
#include <string.h>

#include "order/dependencies.h"
#include "order/execute.h"
#include "solver/api.h"

difflns_status difflns_dependencies_create(const difflns_instance *instance, const difflns_plan *plan,
                                           difflns_dependencies **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(instance);
    DL_REQUIRE(plan);
    return dl_dependencies_create(instance, plan, out, err);
}

void difflns_dependencies_free(difflns_dependencies *dependencies)
{
    dl_dependencies_free(dependencies);
}

int64_t difflns_dependencies_count(const difflns_dependencies *dependencies)
{
    return dependencies ? dependencies->count : -1;
}

difflns_status difflns_dependencies_list(const difflns_dependencies *dependencies, difflns_dependency *list,
                                         size_t room, difflns_error *err)
{
    DL_REQUIRE(dependencies);
    if (room < (size_t)dependencies->count)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "room for %zu dependencies: expected %d", room, dependencies->count);
    if (dependencies->count > 0) DL_REQUIRE(list);
    dl_dependencies_list(dependencies, list);
    return DIFFLNS_OK;
}

int difflns_dependencies_steps(const difflns_dependencies *dependencies, int agent)
{
    if (!dependencies || agent < 0 || agent >= dependencies->agents) return -1;
    return dl_dependencies_steps(dependencies, agent);
}

difflns_status difflns_dependencies_path(const difflns_dependencies *dependencies, int agent, difflns_cell *cells,
                                         size_t room, difflns_error *err)
{
    DL_REQUIRE(dependencies);
    DL_REQUIRE(cells);
    if (agent < 0 || agent >= dependencies->agents)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "agent %d: expected 0 to %d", agent, dependencies->agents - 1);
    size_t length = (size_t)dl_dependencies_steps(dependencies, agent) + 1;
    if (room < length) return dl_fail(err, DIFFLNS_BAD_INPUT, "room for %zu cells: expected %zu", room, length);
    memcpy(cells, &dependencies->cell[dependencies->first[agent]], sizeof *cells * length);
    return DIFFLNS_OK;
}

difflns_status difflns_dependencies_next(const difflns_dependencies *dependencies, const int32_t *progress,
                                         const uint8_t *delayed, uint8_t *may_step, difflns_error *err)
{
    DL_REQUIRE(dependencies);
    DL_REQUIRE(progress);
    DL_REQUIRE(may_step);
    for (int agent = 0; agent < dependencies->agents; agent++) {
        int32_t steps = dl_dependencies_steps(dependencies, agent);
        if (progress[agent] < 0 || progress[agent] > steps)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "agent %d has made %d steps: expected 0 to %d", agent,
                           progress[agent], steps);
    }
    dl_execute(dependencies, progress, delayed, may_step);
    return DIFFLNS_OK;
}

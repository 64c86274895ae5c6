/* The public interface: plans and the checker. */
#include <assert.h>
#include <limits.h>

#include "base/print.h"
#include "formats/plan_io.h"
#include "mapf/check.h"
#include "solver/api.h"

static const difflns_cell NOWHERE = {-1, -1};

static bool has_agent(const dl_plan *plan, int agent)
{
    return plan && agent >= 0 && agent < plan->agents;
}

/* Files may leave a path out; nothing made here does. */
static dl_status require_paths(const dl_plan *plan, dl_error *err)
{
    for (int agent = 0; agent < plan->agents; agent++)
        if (plan->path[agent].length < 1)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "agent %d has no path in the plan", agent);
    return DIFFLNS_OK;
}

difflns_status difflns_plan_read(const difflns_instance *instance, const char *path, difflns_plan **out,
                                 difflns_error *err)
{
    return difflns_plan_read_order(instance, path, DIFFLNS_ORDER_AUTO, out, err);
}

difflns_status difflns_plan_read_order(const difflns_instance *instance, const char *path, difflns_order order,
                                       difflns_plan **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(instance);
    DL_REQUIRE(path);
    return dl_plan_read(instance, path, order, out, err);
}

difflns_status difflns_plan_parse(const difflns_instance *instance, const void *bytes, size_t size, difflns_order order,
                                  difflns_plan **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(instance);
    DL_REQUIRE(bytes);
    return dl_plan_decode(instance, "plan", bytes, size, order, out, err);
}

static dl_status check_agents(int agents, dl_error *err)
{
    if (agents < 1 || agents > DL_MAX_AGENTS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "plan of %d agents: expected 1 to %d", agents, DL_MAX_AGENTS);
    return DIFFLNS_OK;
}

static dl_status hand_over(dl_plan *plan, bool whole, dl_plan **out, dl_error *err)
{
    if (!whole) {
        dl_plan_free(plan);
        return dl_out_of_memory(err);
    }
    *out = plan;
    return DIFFLNS_OK;
}

difflns_status difflns_plan_create(int agents, const int32_t *lengths, const difflns_cell *cells, difflns_plan **out,
                                   difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(lengths);
    DL_REQUIRE(cells);
    DL_TRY(check_agents(agents, err));
    for (int i = 0; i < agents; i++)
        if (lengths[i] < 1 || lengths[i] > DL_MAX_PATH)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "path of agent %d has %d cells: expected 1 to %d", i, lengths[i],
                           DL_MAX_PATH);
    dl_plan *plan = dl_plan_create(agents);
    bool whole = plan != NULL;
    for (int i = 0; i < agents && whole; i++)
        for (int t = 0; t < lengths[i] && whole; t++) whole = dl_path_append(&plan->path[i], *cells++);
    return hand_over(plan, whole, out, err);
}

difflns_status difflns_plan_from_positions(int agents, int times, const int32_t *positions, difflns_plan **out,
                                           difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(positions);
    DL_TRY(check_agents(agents, err));
    if (times < 1 || times > DL_MAX_PATH)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "positions at %d times: expected 1 to %d", times, DL_MAX_PATH);
    dl_plan *plan = dl_plan_create(agents);
    bool whole = plan != NULL;
    for (int t = 0; t < times && whole; t++)
        for (int agent = 0; agent < agents && whole; agent++, positions += 2)
            whole = dl_path_append(&plan->path[agent], (difflns_cell){positions[0], positions[1]});
    if (whole) dl_plan_trim(plan);
    return hand_over(plan, whole, out, err);
}

difflns_status difflns_plan_write(const difflns_instance *instance, const difflns_plan *plan, difflns_format format,
                                  const char *path, difflns_error *err)
{
    DL_REQUIRE(instance);
    DL_REQUIRE(plan);
    DL_REQUIRE(path);
    DL_TRY(require_paths(plan, err));
    return dl_plan_write(instance, plan, format, path, err);
}

difflns_status difflns_plan_print(const difflns_instance *instance, const difflns_plan *plan, difflns_format format,
                                  char **out, size_t *size, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(instance);
    DL_REQUIRE(plan);
    DL_TRY(require_paths(plan, err));
    dl_print print;
    DL_TRY(dl_print_open(&print, err));
    dl_status status = dl_plan_print(print.stream, instance, plan, format, err);
    if (status == DIFFLNS_OK) return dl_print_finish(&print, out, size, err);
    dl_print_discard(&print);
    return status;
}

void difflns_plan_free(difflns_plan *plan)
{
    dl_plan_free(plan);
}

int difflns_plan_agents(const difflns_plan *plan)
{
    return plan ? plan->agents : -1;
}

int64_t difflns_plan_soc(const difflns_plan *plan)
{
    return plan ? dl_plan_soc(plan) : -1;
}

int difflns_plan_makespan(const difflns_plan *plan)
{
    return plan ? dl_plan_makespan(plan) : -1;
}

int difflns_plan_length(const difflns_plan *plan, int agent)
{
    if (!has_agent(plan, agent)) return -1;
    return plan->path[agent].length > 0 ? dl_path_cost(&plan->path[agent]) + 1 : 0;
}

difflns_cell difflns_plan_at(const difflns_plan *plan, int agent, int time)
{
    if (!has_agent(plan, agent) || time < 0 || plan->path[agent].length < 1) return NOWHERE;
    return dl_path_at(&plan->path[agent], time);
}

difflns_status difflns_plan_positions(const difflns_plan *plan, int first, int times, int32_t *positions,
                                      difflns_error *err)
{
    DL_REQUIRE(plan);
    DL_REQUIRE(positions);
    if (first < 0 || times < 0 || times > INT_MAX - first)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "positions at %d times from %d on: expected no negative numbers", times,
                       first);
    DL_TRY(require_paths(plan, err));
    /* Agent by agent: each path is read in order, and rows of 64 bytes and more are written by column. */
    size_t row = 2 * (size_t)plan->agents;
    for (int agent = 0; agent < plan->agents; agent++) {
        assert(plan->path[agent].length >= 1);
        int32_t *at = positions + 2 * (size_t)agent;
        for (int t = first; t < first + times; t++, at += row) {
            difflns_cell cell = dl_path_at(&plan->path[agent], t);
            at[0] = cell.row;
            at[1] = cell.col;
        }
    }
    return DIFFLNS_OK;
}

difflns_status difflns_plan_check(const difflns_instance *instance, const difflns_plan *plan, difflns_violation *list,
                                  size_t room, int64_t *violations, difflns_error *err)
{
    DL_REQUIRE(instance);
    DL_REQUIRE(plan);
    DL_REQUIRE(violations);
    dl_check_result result;
    if (!dl_check(instance, plan, &result, list, room, NULL)) return dl_out_of_memory(err);
    *violations = result.violations;
    return DIFFLNS_OK;
}

difflns_status difflns_plan_safe_time(const difflns_instance *instance, const difflns_plan *plan, int *time,
                                      difflns_error *err)
{
    DL_REQUIRE(instance);
    DL_REQUIRE(plan);
    DL_REQUIRE(time);
    *time = -1;
    dl_check_result result;
    difflns_violation first;
    size_t listed;
    if (!dl_check(instance, plan, &result, &first, 1, &listed)) return dl_out_of_memory(err);
    assert((listed == 0) == (result.violations == 0));
    *time = listed == 0 ? result.makespan : first.kind == DIFFLNS_AGENT_COUNT ? -1 : first.time - 1;
    return DIFFLNS_OK;
}

const char *difflns_violation_name(difflns_violation_kind kind)
{
    switch (kind) {
    case DIFFLNS_VERTEX:
        return "vertex";
    case DIFFLNS_SWAP:
        return "swap";
    case DIFFLNS_TELEPORT:
        return "teleport";
    case DIFFLNS_OBSTACLE:
        return "obstacle";
    case DIFFLNS_BOUNDS:
        return "bounds";
    case DIFFLNS_WRONG_START:
        return "wrong-start";
    case DIFFLNS_WRONG_GOAL:
        return "wrong-goal";
    case DIFFLNS_AGENT_COUNT:
        return "agent-count";
    case DIFFLNS_WRONG_PREFIX:
        return "wrong-prefix";
    case DIFFLNS_MISSED_GOAL:
        return "missed-goal";
    }
    return "unknown";
}

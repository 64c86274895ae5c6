/* The public interface: instances. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/print.h"
#include "formats/load.h"
#include "formats/movingai.h"
#include "generate/generate.h"
#include "mapf/distance.h"
#include "solver/api.h"

static const difflns_cell NOWHERE = {-1, -1};

difflns_status difflns_instance_load(const char *map_path, const char *scen_path, int agents, difflns_instance **out,
                                     difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(map_path);
    DL_REQUIRE(scen_path);
    return difflns_instance_load_named(map_path, NULL, scen_path, NULL, agents, out, err);
}

difflns_status difflns_instance_load_named(const char *map_path, const char *map_name, const char *scen_path,
                                           const char *scenario, int agents, difflns_instance **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(map_path);
    return dl_instance_load_named(map_path, map_name, scen_path, scenario, agents, out, err);
}

difflns_status difflns_instance_parse(const void *map, size_t map_size, const char *map_name, const void *scen,
                                      size_t scen_size, const char *scenario, int agents, difflns_instance **out,
                                      difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(map);
    dl_input map_input = {"map", map, map_size}, scen_input = {"scenario", scen, scen_size};
    return dl_instance_read(&map_input, map_name, scen ? &scen_input : NULL, scenario, agents, out, err);
}

difflns_status difflns_instance_create_on(difflns_map *map, int agents, const difflns_cell *starts,
                                          const difflns_cell *goals, difflns_instance **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(map);
    DL_REQUIRE(starts);
    DL_REQUIRE(goals);
    if (agents < 1 || agents > DL_MAX_AGENTS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%d agents: expected 1 to %d", agents, DL_MAX_AGENTS);
    dl_task *tasks = DL_ARRAY(dl_task, agents);
    if (!tasks) return dl_out_of_memory(err);
    for (int i = 0; i < agents; i++) tasks[i] = (dl_task){.start = starts[i], .goal = goals[i]};
    dl_status status = dl_instance_create_on(map, "array.map", "instance", agents, tasks, out, err);
    free(tasks);
    return status;
}

difflns_status difflns_instance_create(int height, int width, const uint8_t *blocked, int agents,
                                       const difflns_cell *starts, const difflns_cell *goals, difflns_instance **out,
                                       difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    difflns_map *map;
    DL_TRY(difflns_map_create(height, width, blocked, &map, err));
    dl_status status = difflns_instance_create_on(map, agents, starts, goals, out, err);
    difflns_map_free(map); /* the instance keeps its own reference */
    return status;
}

difflns_status difflns_generate(const char *family, int agents, uint64_t seed, difflns_instance **out,
                                difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(family);
    dl_generate_params params;
    DL_TRY(dl_generate_preset(family, &params, err));
    params.agents = agents;
    DL_TRY(dl_generate_check(&params, err));
    dl_generator_scratch scratch = {0};
    dl_status status = dl_generate(&params, seed, &scratch, out, err);
    dl_generator_scratch_free(&scratch);
    return status;
}

const char *difflns_family_name(int index)
{
    return index < 0 ? NULL : dl_generate_preset_name(index);
}

difflns_status difflns_instance_print(const difflns_instance *instance, char **out, size_t *size, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(instance);
    dl_print print;
    DL_TRY(dl_print_open(&print, err));
    dl_movingai_write_scen(print.stream, instance);
    return dl_print_finish(&print, out, size, err);
}

void difflns_instance_free(difflns_instance *instance)
{
    dl_instance_free(instance);
}

difflns_map *difflns_instance_map(const difflns_instance *instance)
{
    return instance ? instance->map : NULL;
}

int difflns_instance_agents(const difflns_instance *instance)
{
    return instance ? instance->agents : -1;
}

int difflns_instance_height(const difflns_instance *instance)
{
    return instance ? instance->grid->height : -1;
}

int difflns_instance_width(const difflns_instance *instance)
{
    return instance ? instance->grid->width : -1;
}

bool difflns_instance_blocked(const difflns_instance *instance, int row, int col)
{
    return !instance || dl_grid_cell(instance->grid, row, col) == DL_NO_CELL;
}

difflns_cell difflns_instance_start(const difflns_instance *instance, int agent)
{
    if (!instance || agent < 0 || agent >= instance->agents) return NOWHERE;
    return dl_grid_position(instance->grid, instance->start[agent]);
}

difflns_cell difflns_instance_goal(const difflns_instance *instance, int agent)
{
    if (!instance || agent < 0 || agent >= instance->agents) return NOWHERE;
    return dl_grid_position(instance->grid, instance->goal[agent]);
}

/* ---- errands ---- */

static dl_status check_agent(const dl_instance *instance, int agent, dl_error *err)
{
    if (agent >= 0 && agent < instance->agents) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "agent %d: expected 0 to %d", agent, instance->agents - 1);
}

difflns_status difflns_instance_set_departure(difflns_instance *instance, int agent, int time, difflns_error *err)
{
    DL_REQUIRE(instance);
    DL_TRY(check_agent(instance, agent, err));
    return dl_instance_set_departure(instance, agent, time, err);
}

difflns_status difflns_instance_set_prefix(difflns_instance *instance, int agent, const difflns_cell *cells, int count,
                                           difflns_error *err)
{
    DL_REQUIRE(instance);
    if (count != 0) DL_REQUIRE(cells);
    DL_TRY(check_agent(instance, agent, err));
    return dl_instance_set_prefix(instance, agent, cells, count, err);
}

difflns_status difflns_instance_set_goals(difflns_instance *instance, int agent, const difflns_cell *cells, int count,
                                          difflns_error *err)
{
    DL_REQUIRE(instance);
    DL_REQUIRE(cells);
    DL_TRY(check_agent(instance, agent, err));
    return dl_instance_set_goals(instance, agent, cells, count, err);
}

static void copy_cells(const dl_grid *grid, const dl_cell *from, int count, difflns_cell *to, int room)
{
    for (int i = 0; to && i < count && i < room; i++) to[i] = dl_grid_position(grid, from[i]);
}

int difflns_instance_prefix(const difflns_instance *instance, int agent, difflns_cell *cells, int room)
{
    if (!instance || agent < 0 || agent >= instance->agents) return -1;
    if (dl_instance_fixed(instance, agent) == 0) return 0;
    const dl_errand *errand = &instance->errand[agent];
    for (int t = 0; cells && t <= errand->fixed && t < room; t++)
        cells[t] = dl_grid_position(instance->grid, dl_errand_at(errand, t));
    return errand->fixed + 1;
}

int difflns_instance_goals(const difflns_instance *instance, int agent, difflns_cell *cells, int room)
{
    if (!instance || agent < 0 || agent >= instance->agents) return -1;
    int stops = dl_instance_stops(instance, agent);
    if (stops > 0) copy_cells(instance->grid, instance->errand[agent].stop, stops, cells, room);
    copy_cells(instance->grid, &instance->goal[agent], 1, cells ? cells + stops : NULL, room - stops);
    return stops + 1;
}

int64_t difflns_instance_sum_of_distances(const difflns_instance *instance)
{
    if (!instance) return -1;
    dl_distance *distance = dl_distance_create(instance);
    int64_t sum = distance ? dl_distance_lower_bound(distance) : -1;
    dl_distance_free(distance);
    return sum;
}

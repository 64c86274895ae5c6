/* difflns generate: instances of the paper's families. */
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/cli.h"
#include "formats/movingai.h"
#include "generate/generate.h"
#include "memory/need.h"

enum {
    RANDOM = 1 << DL_MAP_RANDOM,
    MAZE = 1 << DL_MAP_MAZE,
    ROOM = 1 << DL_MAP_ROOM,
    WAREHOUSE = 1 << DL_MAP_WAREHOUSE,
    ALL_KINDS = RANDOM | MAZE | ROOM | WAREHOUSE
};

/* Which kinds of maps an option is for, and the parameter it sets. */
typedef struct map_option {
    int kinds;
    const char *name;
    size_t given, parameter; /* offsets in options and in dl_generate_params */
    int low;                 /* a value below was not given: the family's own stays */
} map_option;

#define MAP_OPTION(kinds, name, given, parameter, low)                                                                 \
    {                                                                                                                  \
        kinds, name, offsetof(options, given), offsetof(dl_generate_params, parameter), low                            \
    }

static const map_option WHOLE[] = {
    MAP_OPTION(RANDOM | MAZE | ROOM, "height", map_height, height, 1),
    MAP_OPTION(RANDOM | MAZE | ROOM, "width", map_width, width, 1),
    MAP_OPTION(MAZE, "wall-length", wall_length, wall_length, 1),
    MAP_OPTION(ROOM, "room-size", room_size, room_size, 1),
    MAP_OPTION(ROOM, "least-doors", least_doors, least_doors, 0),
    MAP_OPTION(ROOM, "most-doors", most_doors, most_doors, 0),
    MAP_OPTION(WAREHOUSE, "shelf-height", shelf_height, shelf_height, 1),
    MAP_OPTION(WAREHOUSE, "shelf-width", shelf_width, shelf_width, 1),
    MAP_OPTION(WAREHOUSE, "shelf-rows", shelf_rows, shelf_rows, 1),
    MAP_OPTION(WAREHOUSE, "shelf-columns", shelf_columns, shelf_columns, 1),
    MAP_OPTION(WAREHOUSE, "row-gap", row_gap, row_gap, 0),
    MAP_OPTION(WAREHOUSE, "column-gap", column_gap, column_gap, 0),
    MAP_OPTION(WAREHOUSE, "end-strip", end_strip, end_strip, 0),
    MAP_OPTION(WAREHOUSE, "side-strip", side_strip, side_strip, 0),
};
static const map_option SHARE[] = {
    MAP_OPTION(RANDOM | MAZE, "density", density, density, 0),
    MAP_OPTION(MAZE, "straightness", straightness, straightness, 0),
    MAP_OPTION(ALL_KINDS, "connected", connected, connected, 0),
};

static int refuse(const map_option *row, const dl_generate_params *params)
{
    return cli_usage("generate: --%s does not apply to %s", row->name, params->family);
}

/* Returns 0 or the exit status. */
static int take_options(const options *opts, dl_generate_params *params)
{
    params->agents = (int)opts->generate_agents;
    params->placement = opts->placement == 0 ? DL_PLACE_ANY : DL_PLACE_DISJOINT;
    int kind = 1 << params->kind;
    for (size_t i = 0; i < sizeof WHOLE / sizeof WHOLE[0]; i++) {
        int64_t given = *(const int64_t *)((const char *)opts + WHOLE[i].given);
        if (given < WHOLE[i].low) continue;
        if (!(WHOLE[i].kinds & kind)) return refuse(&WHOLE[i], params);
        *(int *)((char *)params + WHOLE[i].parameter) = (int)given;
    }
    for (size_t i = 0; i < sizeof SHARE / sizeof SHARE[0]; i++) {
        double given = *(const double *)(const void *)((const char *)opts + SHARE[i].given);
        if (given < SHARE[i].low) continue;
        if (!(SHARE[i].kinds & kind)) return refuse(&SHARE[i], params);
        *(double *)(void *)((char *)params + SHARE[i].parameter) = given;
    }
    return 0;
}

/* Both files or none. */
static dl_status write_pair(const dl_instance *instance, const char *map_path, const char *scen_path, dl_error *err)
{
    dl_output map, scen;
    DL_TRY(dl_output_open(&map, map_path, err));
    dl_status status = dl_output_open(&scen, scen_path, err);
    if (status != DIFFLNS_OK) {
        dl_output_discard(&map);
        return status;
    }
    dl_movingai_write_map(map.stream, instance->grid);
    dl_movingai_write_scen(scen.stream, instance);
    status = dl_output_commit(&map, err);
    if (status != DIFFLNS_OK) {
        dl_output_discard(&scen);
        return status;
    }
    status = dl_output_commit(&scen, err);
    if (status != DIFFLNS_OK) unlink(map_path);
    return status;
}

static dl_status write_instance(const dl_generate_params *params, uint64_t seed, const char *folder,
                                const dl_instance *instance, dl_error *err)
{
    dl_text map = {0}, scen = {0};
    dl_text_print(&map, "%s/%s-%d-%llu.map", folder, params->family, params->agents, (unsigned long long)seed);
    dl_text_print(&scen, "%s/%s-%d-%llu.scen", folder, params->family, params->agents, (unsigned long long)seed);
    need(!map.cut);
    need(!scen.cut);
    dl_status status = write_pair(instance, map.data, scen.data, err);
    if (status == DIFFLNS_OK) printf("%s\n%s\n", map.data, scen.data);
    dl_text_free(&map);
    dl_text_free(&scen);
    return status;
}

int cli_generate(const options *opts)
{
    dl_generate_params params;
    dl_error err;
    if (dl_generate_preset(opts->argument[0], &params, &err) != DIFFLNS_OK) return cli_fail(&err);
    if (opts->generate_agents == 0) return cli_usage("generate: --agents: expected the number of agents");
    int refused = take_options(opts, &params);
    if (refused) return refused;
    dl_generator_scratch scratch = {0};
    dl_status status = DIFFLNS_OK;
    for (int64_t i = 0; i < opts->count && status == DIFFLNS_OK; i++) {
        uint64_t seed = opts->solver.seed + (uint64_t)i;
        dl_instance *instance;
        status = dl_generate(&params, seed, &scratch, &instance, &err);
        if (status == DIFFLNS_OK && i == 0) status = dl_directory_make(opts->out, &err);
        if (status == DIFFLNS_OK) status = write_instance(&params, seed, opts->out, instance, &err);
        dl_instance_free(instance);
    }
    dl_generator_scratch_free(&scratch);
    return status == DIFFLNS_OK ? 0 : cli_fail(&err);
}

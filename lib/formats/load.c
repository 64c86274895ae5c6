#include "formats/load.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/output.h"
#include "formats/league.h"
#include "formats/movingai.h"
#include "formats/pogema.h"

/* What is known while the two files are read: either may name what to take from the other. */
typedef struct loading {
    const dl_input *map, *scen;
    dl_file map_file, scen_file;
    dl_pogema *map_yaml, *scen_yaml; /* NULL for MovingAI files */
    dl_grid *grid;
    char *map_name; /* base name, as dl_instance wants it */
    dl_task *tasks;
    int count;
} loading;

/* "maps/toy.map.zst" -> "toy.map" */
static char *base_name(const char *path)
{
    char *name = dl_strdup(dl_file_base_name(path));
    size_t length = name ? strlen(name) : 0;
    if (length > 4 && strcmp(name + length - 4, ".zst") == 0) name[length - 4] = 0;
    return name;
}

static dl_status open_file(const dl_input *input, const char *chosen, const char *what, dl_file *file, dl_pogema **yaml,
                           dl_error *err)
{
    const char *path = input->path;
    DL_TRY(input->bytes ? dl_file_decode(path, input->bytes, input->size, file, err) : dl_file_read(path, file, err));
    bool league = dl_league_looks_like(file->data, file->size); /* which is YAML, too */
    if (!league && dl_pogema_looks_like(file->data, file->size))
        return dl_pogema_parse(path, file->data, file->size, yaml, err);
    if (chosen)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: a %s is chosen by name from a POGEMA file: expected YAML", path,
                       what);
    return DIFFLNS_OK;
}

static dl_status read_yaml_map(loading *l, const char *map_name, dl_task **drawn, int *drawn_count, dl_error *err)
{
    char *found = NULL;
    DL_TRY(dl_pogema_read_map(l->map_yaml, map_name, &l->grid, &found, drawn, drawn_count, err));
    size_t length = strlen(found);
    l->map_name = dl_realloc(found, length + sizeof ".map", 1);
    if (!l->map_name) {
        free(found);
        return dl_out_of_memory(err);
    }
    memcpy(l->map_name + length, ".map", sizeof ".map");
    return DIFFLNS_OK;
}

/* A problem of the league names its own map and agents. */
static dl_status read_league(loading *l, dl_error *err)
{
    const char *path = l->map->path;
    if (l->map->bytes)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: names other files: expected a file, not its contents", path);
    if (l->scen)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: names its agents itself: expected no scenario beside it", path);
    dl_league league;
    DL_TRY(dl_league_read(path, l->map_file.data, l->map_file.size, &league, err));
    dl_status status = dl_league_deal(path, &league, &l->tasks, err);
    if (status == DIFFLNS_OK) {
        l->count = league.robots;
        l->scen = l->map;
        l->grid = league.grid;
        l->map_name = league.map_name;
        league.grid = NULL;
        league.map_name = NULL;
    }
    dl_league_free(&league);
    return status;
}

/* The map's letters show the agents when there is no scenario. */
static dl_status read_pair(loading *l, const char *map_name, const char *scenario, int agents, dl_error *err)
{
    DL_TRY(open_file(l->map, map_name, "map", &l->map_file, &l->map_yaml, err));
    if (dl_league_looks_like(l->map_file.data, l->map_file.size)) return read_league(l, err);
    if (!l->map_yaml) {
        DL_TRY(dl_movingai_read_map(l->map->path, l->map_file.data, l->map_file.size, &l->grid, err));
        l->map_name = base_name(l->map->path);
        if (!l->map_name) return dl_out_of_memory(err);
    }
    char *named = NULL; /* the map the scenario was made for */
    if (l->scen) {
        DL_TRY(open_file(l->scen, scenario, "scenario", &l->scen_file, &l->scen_yaml, err));
        if (l->scen_yaml) DL_TRY(dl_pogema_read_scenario(l->scen_yaml, scenario, &named, &l->tasks, &l->count, err));
    }
    dl_task *drawn = NULL;
    int drawn_count = 0;
    dl_status status =
        l->map_yaml ? read_yaml_map(l, map_name ? map_name : named, &drawn, &drawn_count, err) : DIFFLNS_OK;
    free(named);
    if (status == DIFFLNS_OK && !l->scen) {
        l->tasks = drawn;
        l->count = drawn_count;
        l->scen = l->map;
        return drawn_count > 0
                   ? DIFFLNS_OK
                   : dl_fail(err, DIFFLNS_BAD_INPUT, "%s: the map shows no agents, expected a scenario", l->map->path);
    }
    free(drawn);
    DL_TRY(status);
    if (l->scen_yaml) return DIFFLNS_OK;
    return dl_movingai_read_scen(l->scen->path, l->scen_file.data, l->scen_file.size, l->grid, agents, &l->tasks,
                                 &l->count, err);
}

dl_status dl_instance_read(const dl_input *map, const char *map_name, const dl_input *scen, const char *scenario,
                           int agents, dl_instance **out, dl_error *err)
{
    *out = NULL;
    if (agents < 0 || agents > DL_MAX_AGENTS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%d agents: expected 1 to %d, or 0 for all", agents, DL_MAX_AGENTS);
    loading l = {.map = map, .scen = scen};
    dl_status status = read_pair(&l, map_name, scenario, agents, err);
    if (status == DIFFLNS_OK && l.count < agents)
        status = dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %d agents, expected at least %d", l.scen->path, l.count, agents);
    if (status == DIFFLNS_OK) {
        int used = agents > 0 ? agents : l.count;
        status = dl_instance_create(l.grid, l.map_name, l.scen->path, used, l.tasks, out, err);
    } else {
        dl_grid_free(l.grid);
    }
    dl_file_free(&l.map_file);
    dl_file_free(&l.scen_file);
    dl_pogema_free(l.map_yaml);
    dl_pogema_free(l.scen_yaml);
    free(l.map_name);
    free(l.tasks);
    return status;
}

dl_status dl_map_read(const dl_input *map, const char *map_name, dl_map **out, dl_error *err)
{
    *out = NULL;
    dl_file file = {0};
    dl_pogema *yaml = NULL;
    dl_grid *grid = NULL;
    dl_status status = open_file(map, map_name, "map-name", &file, &yaml, err);
    if (status == DIFFLNS_OK && yaml) {
        char *found = NULL;
        dl_task *drawn = NULL;
        int count;
        status = dl_pogema_read_map(yaml, map_name, &grid, &found, &drawn, &count, err);
        free(found);
        free(drawn);
    } else if (status == DIFFLNS_OK && !map->bytes && dl_league_looks_like(file.data, file.size)) {
        dl_league league;
        status = dl_league_read(map->path, file.data, file.size, &league, err);
        grid = league.grid;
        league.grid = NULL;
        dl_league_free(&league);
    } else if (status == DIFFLNS_OK) {
        status = dl_movingai_read_map(map->path, file.data, file.size, &grid, err);
    }
    if (status == DIFFLNS_OK) {
        *out = dl_map_create(grid);
        if (!*out) status = dl_out_of_memory(err);
    }
    dl_pogema_free(yaml);
    dl_file_free(&file);
    return status;
}

dl_status dl_instance_load_named(const char *map_path, const char *map_name, const char *scen_path,
                                 const char *scenario, int agents, dl_instance **out, dl_error *err)
{
    dl_input map = {.path = map_path}, scen = {.path = scen_path};
    return dl_instance_read(&map, map_name, scen_path ? &scen : NULL, scenario, agents, out, err);
}

dl_status dl_instance_load(const char *map_path, const char *scen_path, int agents, dl_instance **out, dl_error *err)
{
    return dl_instance_load_named(map_path, NULL, scen_path, NULL, agents, out, err);
}

static bool is_yaml(const char *path)
{
    const char *dot = strrchr(dl_file_base_name(path), '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* A file that could not be written whole for want of memory is not kept. */
static dl_status finish(dl_output *out, bool whole, dl_error *err)
{
    if (whole) return dl_output_commit(out, err);
    dl_output_discard(out);
    return dl_out_of_memory(err);
}

dl_status dl_instance_write_map(const dl_instance *instance, const char *path, dl_error *err)
{
    dl_output out;
    bool whole = true;
    DL_TRY(dl_output_open(&out, path, err));
    if (is_yaml(path))
        whole = dl_pogema_write_map(out.stream, instance);
    else
        dl_movingai_write_map(out.stream, instance->grid);
    return finish(&out, whole, err);
}

dl_status dl_instance_write_scen(const dl_instance *instance, const char *path, dl_error *err)
{
    dl_output out;
    bool whole = true;
    DL_TRY(dl_output_open(&out, path, err));
    if (is_yaml(path))
        whole = dl_pogema_write_scenario(out.stream, instance);
    else
        dl_movingai_write_scen(out.stream, instance);
    return finish(&out, whole, err);
}

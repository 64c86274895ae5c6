#include "bench/speed_set.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "bench/cases.h"
#include "formats/load.h"
#include "memory/need.h"

enum { USUAL_CASES = 4 }; /* of each of the 20 settings: enough for a rate of two digits, done in a minute */

/* ---- a folder ---- */

typedef struct file_list {
    char **path;
    int count, room;
} file_list;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_list(file_list *list)
{
    for (int i = 0; i < list->count; i++) free(list->path[i]);
    free(list->path);
}

static void append(file_list *list, char *path)
{
    need(DL_GROW(list->path, list->room, list->count + 1));
    list->path[list->count++] = path;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

static char *scen_beside(const char *map)
{
    char *scen = needed(dl_malloc(strlen(map) + 2));
    snprintf(scen, strlen(map) + 2, "%.*s.scen", (int)(strlen(map) - 4), map);
    return scen;
}

static bool has_scen(const char *map)
{
    char *scen = scen_beside(map);
    struct stat info;
    bool there = stat(scen, &info) == 0;
    free(scen);
    return there;
}

/* Collects the maps below `folder` in order of their names, at most `cases` (0 = all) of each folder. */
static void collect(const char *folder, int cases, file_list *maps)
{
    DIR *dir = opendir(folder);
    if (!dir) return;
    file_list inside = {0};
    /* This stream is ours alone, which is all readdir asks for. */
    // cppcheck-suppress readdirCalled
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.') append(&inside, needed(dl_file_inside(folder, entry->d_name)));
    closedir(dir);
    if (inside.count) qsort(inside.path, (size_t)inside.count, sizeof *inside.path, by_name);
    int taken = 0;
    for (int i = 0; i < inside.count; i++) {
        if (is_folder(inside.path[i])) {
            collect(inside.path[i], cases, maps);
        } else if (ends_with(inside.path[i], ".map") && has_scen(inside.path[i]) && (cases == 0 || taken < cases)) {
            append(maps, needed(dl_strdup(inside.path[i])));
            taken++;
        }
    }
    free_list(&inside);
}

/* "medium-room-164-00.map" belongs to medium-room: the name up to its numbers. */
static void family_of(const char *map, char family[64])
{
    snprintf(family, 64, "%s", dl_file_base_name(map));
    family[strcspn(family, ".")] = 0;
    size_t end = strlen(family);
    while (end > 0 && strchr("0123456789-", family[end - 1])) end--;
    if (end > 0) family[end] = 0;
}

/* ---- the set ---- */

dl_status dl_speed_set_open(dl_speed_set *set, const char *folder, int cases, uint64_t seed, dl_error *err)
{
    *set = (dl_speed_set){.cases = cases > 0 ? cases : USUAL_CASES, .seed = seed};
    set->count = DL_PAPER_SETTINGS * set->cases;
    if (!folder) return DIFFLNS_OK;
    file_list maps = {0};
    collect(folder, cases, &maps);
    set->count = maps.count;
    set->map = maps.path;
    return maps.count > 0 ? DIFFLNS_OK
                          : dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected a folder with .map and .scen files", folder);
}

void dl_speed_set_close(dl_speed_set *set)
{
    for (int i = 0; set->map && i < set->count; i++) free(set->map[i]);
    free(set->map);
    dl_generator_scratch_free(&set->scratch);
    *set = (dl_speed_set){0};
}

static dl_status load(const char *map, dl_speed_instance *out, dl_error *err)
{
    family_of(map, out->family);
    snprintf(out->name, sizeof out->name, "%s", dl_file_base_name(map));
    char *scen = scen_beside(map);
    dl_status status = dl_instance_load(map, scen, 0, &out->instance, err);
    free(scen);
    return status;
}

dl_status dl_speed_set_get(dl_speed_set *set, int index, dl_speed_instance *out, dl_error *err)
{
    *out = (dl_speed_instance){0};
    if (set->map) return load(set->map[index], out, err);
    const dl_setting *setting = &DL_SETTING[index / set->cases];
    uint64_t seed = set->seed + (uint64_t)(index % set->cases);
    snprintf(out->family, sizeof out->family, "%s", setting->family);
    snprintf(out->name, sizeof out->name, "%s-%d-%" PRIu64, setting->family, setting->agents, seed);
    return dl_case_generate(setting, seed, &set->scratch, &out->instance, err);
}

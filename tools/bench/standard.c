#include "bench/standard.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "formats/load.h"
#include "formats/plan_format.h"
#include "memory/need.h"

enum { USUAL_STEP = 50, MOST_SCENARIOS = 1000 };

static char *path_of(const char *folder, const char *name, const char *end)
{
    char file[512];
    snprintf(file, sizeof file, "%s%s", name, end);
    return needed(dl_file_inside(folder, file));
}

/* ---- which scenarios there are ---- */

/* Agents of a scenario: its lines behind the first; 0 if there is no such file. */
static int count_rows(const char *path)
{
    dl_file file;
    if (access(path, F_OK) != 0 || dl_file_read(path, &file, NULL) != DIFFLNS_OK) return 0;
    int rows = -1;
    dl_lines lines = dl_lines_begin(file.data, file.size);
    while (dl_lines_next_full(&lines)) rows++;
    dl_file_free(&file);
    return rows > 0 ? rows : 0;
}

static char *scenario_path(const dl_standard_family *family, int number)
{
    char end[32];
    snprintf(end, sizeof end, "-%d.scen", number);
    return path_of(family->folder, family->name, end);
}

static void add_scenario(dl_standard_family *family, int number)
{
    char *path = scenario_path(family, number);
    int rows = count_rows(path);
    free(path);
    if (rows == 0) return;
    family->number = needed(dl_realloc(family->number, (size_t)family->count + 1, sizeof *family->number));
    family->rows = needed(dl_realloc(family->rows, (size_t)family->count + 1, sizeof *family->rows));
    family->number[family->count] = number;
    family->rows[family->count++] = rows;
}

static bool is_kind(const char *name, const char *kind)
{
    return strcmp(name, kind) == 0;
}

/* "random:1-25" or "even:3". */
static bool read_range(const char *word, char kind[16], int *first, int *last)
{
    int length = 0;
    if (sscanf(word, "%15[a-z]:%4d%n", kind, first, &length) != 2) return false;
    *last = *first;
    if (word[length] == '-') {
        int more = 0;
        if (sscanf(word + length + 1, "%4d%n", last, &more) != 1) return false;
        length += 1 + more;
    }
    bool known = is_kind(kind, "random") || is_kind(kind, "even");
    return known && word[length] == 0 && *first >= 1 && *first <= *last && *last <= MOST_SCENARIOS;
}

static void add_family(dl_standard *standard, const char *folder, const char *map, const char *kind, int first,
                       int last)
{
    dl_standard_family family = {.folder = needed(dl_strdup(folder))};
    snprintf(family.name, sizeof family.name, "%s-%s", map, kind);
    for (int number = first; number <= last; number++) add_scenario(&family, number);
    if (family.count == 0) {
        free(family.folder);
        return;
    }
    need(DL_GROW(standard->family, standard->room, standard->count + 1));
    standard->family[standard->count++] = family;
}

static dl_status add_map(dl_standard *standard, const char *folder, const char *map, const char *scenarios,
                         dl_error *err)
{
    char *copy = needed(dl_strdup(scenarios)), *rest = copy;
    dl_status status = DIFFLNS_OK;
    for (char *word; status == DIFFLNS_OK && (word = strsep(&rest, ","));) {
        char kind[16];
        int first, last;
        if (read_range(word, kind, &first, &last))
            add_family(standard, folder, map, kind, first, last);
        else
            status = dl_fail(err, DIFFLNS_BAD_INPUT, "scens: \"%s\": expected random:1-25 or even:1-25", word);
    }
    free(copy);
    return status;
}

/* MAP.map here is a map; MAP with MAP/MAP.map in it, too. */
static dl_status add_entry(dl_standard *standard, const char *folder, const char *name, const char *scenarios,
                           dl_error *err)
{
    size_t length = strlen(name);
    char map[DL_RECORD_NAME];
    if (length > 4 && strcmp(name + length - 4, ".map") == 0) {
        snprintf(map, sizeof map, "%.*s", (int)(length - 4), name);
        return add_map(standard, folder, map, scenarios, err);
    }
    char *inside = needed(dl_file_inside(folder, name)), *file = path_of(inside, name, ".map");
    dl_status status = access(file, F_OK) == 0 ? add_map(standard, inside, name, scenarios, err) : DIFFLNS_OK;
    free(file);
    free(inside);
    return status;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

dl_status dl_standard_open(const char *folder, const char *scenarios, dl_standard *out, dl_error *err)
{
    *out = (dl_standard){0};
    struct dirent **entry;
    int entries = scandir(folder, &entry, NULL, by_name);
    dl_status status = DIFFLNS_OK;
    for (int i = 0; i < entries; i++) {
        if (status == DIFFLNS_OK && entry[i]->d_name[0] != '.')
            status = add_entry(out, folder, entry[i]->d_name, scenarios, err);
        free(entry[i]);
    }
    if (entries >= 0) free(entry);
    if (status == DIFFLNS_OK && out->count == 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT,
                       "%s: expected maps with scenarios: MAP/MAP.map and MAP/MAP-random-1.scen", folder);
    return status;
}

void dl_standard_free(dl_standard *standard)
{
    for (int i = 0; i < standard->count; i++) {
        free(standard->family[i].folder);
        free(standard->family[i].number);
        free(standard->family[i].rows);
    }
    free(standard->family);
    *standard = (dl_standard){0};
}

/* ---- teams ---- */

static int largest_team(const dl_standard_family *family)
{
    int most = 0;
    for (int i = 0; i < family->count; i++) most = family->rows[i] > most ? family->rows[i] : most;
    return most;
}

static void add_team(dl_setting_list *list, const dl_standard_family *family, int agents)
{
    need(DL_GROW(list->setting, list->room, list->count + 1));
    list->setting[list->count++] = (dl_setting){.family = family->name, .agents = agents};
}

/* "MAP" is the name of a family without its kind. */
static bool is_of_map(const dl_standard_family *family, const char *map, size_t length)
{
    return strncmp(family->name, map, length) == 0 && family->name[length] == '-' &&
           (is_kind(family->name + length + 1, "random") || is_kind(family->name + length + 1, "even"));
}

/* "500", or "empty-32-32:500": for all maps or one. */
static dl_status add_teams(const dl_standard *standard, const char *word, dl_setting_list *list, dl_error *err)
{
    const char *colon = strrchr(word, ':'), *digits = colon ? colon + 1 : word;
    int64_t agents;
    int before = list->count;
    if (!dl_number_whole(digits, &agents) || agents < 1 || agents > DL_MAX_AGENTS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "agents: \"%s\": expected 50,100 or MAP:50 or max or step or step:20",
                       word);
    for (int i = 0; i < standard->count; i++) {
        const dl_standard_family *family = &standard->family[i];
        if (colon && !is_of_map(family, word, (size_t)(colon - word))) continue;
        if (agents <= largest_team(family)) add_team(list, family, (int)agents);
    }
    if (list->count == before)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "agents: \"%s\": no scenario has so many agents", word);
    return DIFFLNS_OK;
}

static int by_team(const void *a, const void *b)
{
    const dl_setting *x = a, *y = b;
    int order = strcmp(x->family, y->family);
    return order ? order : (x->agents > y->agents) - (x->agents < y->agents);
}

static dl_status add_listed(const dl_standard *standard, const char *agents, dl_setting_list *list, dl_error *err)
{
    char *copy = needed(dl_strdup(agents)), *rest = copy;
    dl_status status = DIFFLNS_OK;
    for (char *word; status == DIFFLNS_OK && (word = strsep(&rest, ","));)
        status = add_teams(standard, word, list, err);
    free(copy);
    return status;
}

dl_status dl_standard_settings(dl_standard *standard, const char *agents, dl_setting_list *out, dl_error *err)
{
    *out = (dl_setting_list){0};
    int64_t step = USUAL_STEP;
    standard->grows = strncmp(agents, "step", 4) == 0 && (agents[4] == 0 || agents[4] == ':');
    if (standard->grows && agents[4] && (!dl_number_whole(agents + 5, &step) || step < 1 || step > DL_MAX_AGENTS))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "agents: \"%s\": expected step:20, for example", agents);
    bool only_largest = strcmp(agents, "max") == 0;
    for (int i = 0; i < standard->count; i++) {
        const dl_standard_family *family = &standard->family[i];
        int largest = largest_team(family);
        if (only_largest) add_team(out, family, largest);
        for (int team = (int)step; standard->grows && team <= largest; team += (int)step) add_team(out, family, team);
    }
    if (!standard->grows && !only_largest) DL_TRY(add_listed(standard, agents, out, err));
    if (out->count > 0) qsort(out->setting, (size_t)out->count, sizeof *out->setting, by_team);
    return DIFFLNS_OK;
}

static const dl_standard_family *find_family(const dl_standard *standard, const char *name)
{
    for (int i = 0; i < standard->count; i++)
        if (strcmp(standard->family[i].name, name) == 0) return &standard->family[i];
    return NULL;
}

int *dl_standard_cases(const dl_standard *standard, const dl_setting *setting, int *count)
{
    const dl_standard_family *family = find_family(standard, setting->family);
    int *number = needed(DL_ARRAY(int, family ? family->count + 1 : 1));
    *count = 0;
    for (int i = 0; family && i < family->count; i++)
        if (family->rows[i] >= setting->agents) number[(*count)++] = family->number[i];
    return number;
}

dl_status dl_standard_load(const dl_standard *standard, const dl_setting *setting, int number, dl_instance **out,
                           dl_error *err)
{
    const dl_standard_family *family = find_family(standard, setting->family);
    if (!family) return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: no such map", setting->family);
    char name[DL_RECORD_NAME];
    snprintf(name, sizeof name, "%.*s", (int)(strrchr(family->name, '-') - family->name), family->name);
    char *map = path_of(family->folder, name, ".map"), *scenario = scenario_path(family, number);
    dl_status status = dl_instance_load(map, scenario, setting->agents, out, err);
    free(map);
    free(scenario);
    return status;
}

/* ---- plans for the tracker ---- */

/* The writer says the sum of distances; the bound of the run may be higher. */
static char *entry_of(const dl_instance *instance, const dl_plan *plan, int64_t lower_bound, dl_error *err)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) return NULL;
    dl_status status = dl_plan_format_at(dl_plan_format_find("tracker"))->write(stream, instance, plan, err);
    if (fclose(stream) != 0 || status != DIFFLNS_OK) {
        free(text);
        return NULL;
    }
    json_t *entry = json_loadb(text, size, 0, NULL);
    free(text);
    if (entry && lower_bound > json_integer_value(json_object_get(entry, "lower_cost")))
        json_object_set_new(entry, "lower_cost", json_integer(lower_bound));
    text = json_dumps(entry, JSON_COMPACT);
    json_decref(entry);
    return text;
}

dl_status dl_standard_keep(const char *folder, const dl_instance *instance, const dl_plan *plan,
                           const dl_record *record, dl_error *err)
{
    char name[DL_RECORD_NAME + 32];
    dl_output out;
    DL_TRY(dl_directory_make(folder, err));
    char *entry = entry_of(instance, plan, record->lower_bound, err);
    if (!entry) return err ? err->status : DIFFLNS_OUT_OF_MEMORY;
    snprintf(name, sizeof name, "%s-%d-%d.json", record->family, record->number, record->agents);
    dl_status status = dl_output_open_inside(&out, folder, name, err);
    if (status == DIFFLNS_OK) {
        fprintf(out.stream, "%s\n", entry);
        status = dl_output_commit(&out, err);
    }
    free(entry);
    return status;
}

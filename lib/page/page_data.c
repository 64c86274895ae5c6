#include "page/page_data.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "mapf/check.h"
#include "page/palette.h"

enum { VERSION = 1 };

/* ---- Paths ---- */

/* The letter of one step, 0 for a jump. */
static char step_letter(difflns_cell from, difflns_cell to)
{
    int64_t rows = (int64_t)to.row - from.row, cols = (int64_t)to.col - from.col;
    if (rows == 0 && cols == 0) return 'w';
    if (cols == 0 && rows == -1) return 'u';
    if (cols == 0 && rows == 1) return 'd';
    if (rows == 0 && cols == -1) return 'l';
    if (rows == 0 && cols == 1) return 'r';
    return 0;
}

/* A path in words: "@row,col" puts the agent on a cell, a letter of u d l r w moves it, a number after a letter repeats
 * it: "@3,4r12d3w2". Waits at the end are left out. */
static json_t *path_json(const dl_path *path, dl_text *text)
{
    int last = dl_path_cost(path);
    text->size = 0;
    dl_text_print(text, "@%d,%d", path->at[0].row, path->at[0].col);
    for (int t = 1; t <= last;) {
        char letter = step_letter(path->at[t - 1], path->at[t]);
        if (!letter) {
            dl_text_print(text, "@%d,%d", path->at[t].row, path->at[t].col);
            t++;
            continue;
        }
        int run = 1;
        while (t + run <= last && step_letter(path->at[t + run - 1], path->at[t + run]) == letter) run++;
        dl_text_add(text, &letter, 1);
        if (run > 1) dl_text_print(text, "%d", run);
        t += run;
    }
    return text->cut ? NULL : json_stringn(text->data, text->size);
}

/* Takes over both; NULL if either is. */
static json_t *append(json_t *list, json_t *value)
{
    if (list && json_array_append_new(list, value) == 0) return list;
    if (!list) json_decref(value);
    json_decref(list);
    return NULL;
}

static json_t *plan_json(const dl_instance *instance, const dl_page_plan *plan)
{
    dl_check_result check;
    if (!dl_check(instance, plan->plan, &check, NULL, 0, NULL)) return NULL;
    json_t *paths = json_array();
    dl_text text = {0};
    for (int agent = 0; agent < plan->plan->agents; agent++)
        paths = append(paths, path_json(&plan->plan->path[agent], &text));
    dl_text_free(&text);
    const char *title = plan->title ? plan->title : "Plan", *note = plan->note ? plan->note : "";
    return json_pack("{s:o, s:o, s:I, s:I, s:i, s:o}", "title", dl_json_name(title, strlen(title)), "note",
                     dl_json_name(note, strlen(note)), "violations", (json_int_t)check.violations, "soc",
                     (json_int_t)check.soc, "makespan", check.makespan, "paths", paths);
}

/* ---- The instance ---- */

/* One bit per square, row by row without gaps, most significant bit first, in base64. */
static json_t *obstacles_json(const dl_grid *grid)
{
    size_t squares = (size_t)grid->height * (size_t)grid->width, size = (squares + 7) / 8;
    unsigned char *bits = DL_ARRAY(unsigned char, size);
    if (!bits) return NULL;
    for (size_t i = 0; i < squares; i++)
        if (grid->blocked[i]) bits[i / 8] |= (unsigned char)(0x80 >> i % 8);
    dl_text text = {0};
    dl_text_add_base64(&text, bits, size);
    json_t *value = text.cut ? NULL : json_stringn(text.data, text.size);
    dl_text_free(&text);
    free(bits);
    return value;
}

static json_t *cells_json(const dl_instance *instance, const dl_cell *cells)
{
    json_t *list = json_array();
    for (int agent = 0; agent < instance->agents; agent++)
        list = append(list, json_integer(instance->grid->where[cells[agent]]));
    return list;
}

static json_t *palette_json(void)
{
    json_t *list = json_array();
    for (int i = 0; i < DL_PALETTE; i++) {
        dl_color c = dl_palette_color(i);
        char name[8];
        snprintf(name, sizeof name, "#%02x%02x%02x", c.red, c.green, c.blue);
        list = append(list, json_string(name));
    }
    return list;
}

/* Of each agent its tasks in turn, two numbers each: when it was given the goal, and its square. */
static json_t *tasks_json(const dl_page *page)
{
    const dl_instance *instance = page->instance;
    json_t *lists = json_array();
    for (int agent = 0; agent < instance->agents; agent++) lists = append(lists, json_array());
    for (int i = 0; i < page->tasks && lists; i++) {
        const dl_page_task *task = &page->task[i];
        json_t *list = json_array_get(lists, (size_t)task->agent);
        if (json_array_append_new(list, json_integer(task->step)) == 0 &&
            json_array_append_new(list, json_integer(instance->grid->where[task->goal])) == 0)
            continue;
        json_decref(lists);
        lists = NULL;
    }
    return lists;
}

/* ---- The whole ---- */

static json_t *page_json(const dl_page *page)
{
    const dl_instance *instance = page->instance;
    const char *title = page->title ? page->title : instance->map_name;
    json_t *plans = json_array();
    for (int i = 0; i < page->count; i++) plans = append(plans, plan_json(instance, &page->plans[i]));
    return json_pack("{s:s, s:i, s:s, s:o, s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "format", "difflns-page",
                     "version", VERSION, "program", "difflns " DIFFLNS_VERSION_STRING, "title",
                     dl_json_name(title, strlen(title)), "layout",
                     page->layout == DL_PAGE_SEQUENCE ? "sequence" : "side by side", "height", instance->grid->height,
                     "width", instance->grid->width, "obstacles", obstacles_json(instance->grid), "starts",
                     cells_json(instance, instance->start), "goals", cells_json(instance, instance->goal), "palette",
                     palette_json(), "plans", plans);
}

/* Outside of strings JSON has no '<', so replacing all of them is safe. */
static int write_for_script(const char *bytes, size_t size, void *stream)
{
    for (const char *at = bytes, *end = bytes + size; at < end;) {
        const char *found = memchr(at, '<', (size_t)(end - at));
        fwrite(at, 1, (size_t)((found ? found : end) - at), stream);
        if (found) fputs("\\u003c", stream);
        at = found ? found + 1 : end;
    }
    return 0;
}

bool dl_page_write_data(FILE *stream, const dl_page *page)
{
    json_t *data = page_json(page);
    if (data && page->task && json_object_set_new(data, "tasks", tasks_json(page)) != 0) {
        json_decref(data);
        data = NULL;
    }
    bool whole = data && json_dump_callback(data, write_for_script, stream, JSON_COMPACT | JSON_ENSURE_ASCII) == 0;
    json_decref(data);
    return whole;
}

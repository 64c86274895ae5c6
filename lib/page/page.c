#include "page/page.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "mapf/check.h"
#include "page/palette.h"
#include "page_assets.h"

enum { PAGE_DATA_VERSION = 1 };

/* Text for inside an element: the page's title. */
static void write_html(FILE *stream, const char *text)
{
    for (; *text; text++) switch (*text) {
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '&':
            fputs("&amp;", stream);
            break;
        default:
            fputc(*text, stream);
        }
}

/* A JSON string that is safe inside a script element: no '<' can end it or open a comment. Bytes that are not UTF-8
 * (file names may hold any) become question marks. False when memory is out. */
static bool write_string(FILE *stream, const char *text)
{
    char *copy = dl_strdup(text);
    if (!copy) return false;
    json_t *value = json_string(copy);
    if (!value) {
        for (char *c = copy; *c; c++)
            if ((unsigned char)*c >= 0x80) *c = '?';
        value = json_string(copy);
    }
    char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;
    for (const char *c = quoted; c && *c; c++)
        if (*c == '<')
            fputs("\\u003c", stream);
        else
            fputc(*c, stream);
    bool whole = quoted != NULL;
    free(quoted);
    json_decref(value);
    free(copy);
    return whole;
}

/* The obstacles, one bit a square, row by row without gaps, most significant bit first, in base64. */
static void write_obstacles(FILE *stream, const dl_grid *grid)
{
    static const char DIGIT[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t squares = (size_t)grid->height * (size_t)grid->width, digits = 0;
    for (size_t i = 0; i < squares; i += 6, digits++) {
        unsigned bits = 0;
        for (size_t k = i; k < i + 6; k++) bits = bits << 1 | (k < squares && grid->blocked[k]);
        fputc(DIGIT[bits], stream);
    }
    for (; digits % 4; digits++) fputc('A', stream);
}

static void write_cells(FILE *stream, const dl_instance *instance, const dl_cell *cells)
{
    for (int agent = 0; agent < instance->agents; agent++)
        fprintf(stream, "%s%d", agent ? "," : "", instance->grid->where[cells[agent]]);
}

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

/* A path in words: "@row,col" puts the agent on a cell, a letter of u d l r w moves it, a number behind a letter
 * repeats it: "@3,4r12d3w2". Waits at the end are left out. */
static void write_path(FILE *stream, const dl_path *path)
{
    int last = dl_path_cost(path);
    fprintf(stream, "\"@%d,%d", path->at[0].row, path->at[0].col);
    for (int t = 1; t <= last;) {
        char letter = step_letter(path->at[t - 1], path->at[t]);
        if (!letter) {
            fprintf(stream, "@%d,%d", path->at[t].row, path->at[t].col);
            t++;
            continue;
        }
        int run = 1;
        while (t + run <= last && step_letter(path->at[t + run - 1], path->at[t + run]) == letter) run++;
        fputc(letter, stream);
        if (run > 1) fprintf(stream, "%d", run);
        t += run;
    }
    fputc('"', stream);
}

static bool write_plan(FILE *stream, const dl_instance *instance, const dl_page_plan *plan)
{
    dl_check_result check;
    if (!dl_check(instance, plan->plan, &check, NULL, 0, NULL)) return false;
    fputs("{\"title\":", stream);
    if (!write_string(stream, plan->title ? plan->title : "Plan")) return false;
    fputs(",\"note\":", stream);
    if (!write_string(stream, plan->note ? plan->note : "")) return false;
    fprintf(stream, ",\"violations\":%lld,\"soc\":%lld,\"makespan\":%d,\"paths\":[", (long long)check.violations,
            (long long)check.soc, check.makespan);
    for (int agent = 0; agent < plan->plan->agents; agent++) {
        if (agent) fputs(",\n", stream);
        write_path(stream, &plan->plan->path[agent]);
    }
    fputs("]}", stream);
    return true;
}

static bool write_data(FILE *stream, const dl_page *page)
{
    const dl_instance *instance = page->instance;
    fprintf(stream,
            "{\"format\":\"difflns-page\",\"version\":%d,\"program\":\"difflns %s\",\"title\":", PAGE_DATA_VERSION,
            DIFFLNS_VERSION_STRING);
    if (!write_string(stream, page->title ? page->title : instance->map_name)) return false;
    fprintf(stream, ",\n\"layout\":\"%s\",\"height\":%d,\"width\":%d,\"obstacles\":\"",
            page->layout == DL_PAGE_SEQUENCE ? "sequence" : "side by side", instance->grid->height,
            instance->grid->width);
    write_obstacles(stream, instance->grid);
    fputs("\",\n\"starts\":[", stream);
    write_cells(stream, instance, instance->start);
    fputs("],\n\"goals\":[", stream);
    write_cells(stream, instance, instance->goal);
    fputs("],\n\"palette\":[", stream);
    for (int i = 0; i < DL_PALETTE; i++) {
        dl_color c = dl_palette_color(i);
        fprintf(stream, "%s\"#%02x%02x%02x\"", i ? "," : "", c.red, c.green, c.blue);
    }
    fputs("],\n\"plans\":[", stream);
    for (int i = 0; i < page->count; i++) {
        if (i) fputs(",\n", stream);
        if (!write_plan(stream, instance, &page->plans[i])) return false;
    }
    fputs("]}", stream);
    return true;
}

/* What stands for {{name}} in page.html. False when memory is out. */
static bool write_part(FILE *stream, const dl_page *page, const char *name, size_t length)
{
    static const struct {
        const char *name, *text;
    } ASSET[] = {
        {"page.css", asset_page_css}, {"plan.js", asset_plan_js},       {"dependencies.js", asset_dependencies_js},
        {"scene.js", asset_scene_js}, {"numbers.js", asset_numbers_js}, {"input.js", asset_input_js},
        {"page.js", asset_page_js}};
    for (size_t i = 0; i < sizeof ASSET / sizeof ASSET[0]; i++)
        if (strlen(ASSET[i].name) == length && memcmp(ASSET[i].name, name, length) == 0) fputs(ASSET[i].text, stream);
    if (length == 4 && memcmp(name, "data", 4) == 0) return write_data(stream, page);
    if (length == 5 && memcmp(name, "title", 5) == 0)
        write_html(stream, page->title ? page->title : page->instance->map_name);
    return true;
}

static bool write_page(FILE *stream, const dl_page *page)
{
    const char *at = asset_page_html, *open;
    while ((open = strstr(at, "{{")) != NULL) {
        const char *close = strstr(open, "}}");
        fwrite(at, 1, (size_t)(open - at), stream);
        if (!write_part(stream, page, open + 2, (size_t)(close - open - 2))) return false;
        at = close + 2;
    }
    fputs(at, stream);
    return true;
}

static dl_status check_agents(const dl_page *page, dl_error *err)
{
    for (int i = 0; i < page->count; i++) {
        const dl_plan *plan = page->plans[i].plan;
        if (plan->agents != page->instance->agents)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: plan of %d agents for an instance of %d",
                           page->plans[i].title ? page->plans[i].title : "page", plan->agents, page->instance->agents);
    }
    return DIFFLNS_OK;
}

dl_status dl_page_write(const dl_page *page, const char *path, dl_error *err)
{
    DL_TRY(check_agents(page, err));
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    if (write_page(out.stream, page)) return dl_output_commit(&out, err);
    dl_output_discard(&out);
    return dl_out_of_memory(err);
}

dl_status dl_page_print(const dl_page *page, FILE *stream, dl_error *err)
{
    DL_TRY(check_agents(page, err));
    return write_page(stream, page) ? DIFFLNS_OK : dl_out_of_memory(err);
}

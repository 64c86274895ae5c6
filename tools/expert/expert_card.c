#include "expert/expert_card.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "memory/need.h"

enum { MAKESPAN_STEP = 16 }; /* width of a bar in the distribution of makespans */

/* The demonstrations of one family and team size, or all of them. */
typedef struct group {
    char family[DL_DEMO_FAMILY];
    int agents;
    size_t count, ratio_capacity, makespan_capacity;
    double *ratio; /* sum of costs over lower bound; 1 where nobody has to move */
    double *makespan;
} group;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, size_t count, double share)
{
    return sorted[(size_t)(share * (double)(count - 1) + 0.5)];
}

/* Sorts the values. */
static json_t *distribution(double *value, size_t count)
{
    double sum = 0;
    qsort(value, count, sizeof *value, by_value);
    for (size_t i = 0; i < count; i++) sum += value[i];
    return json_pack("{s:f, s:f, s:f, s:f, s:f}", "mean", sum / (double)count, "least", value[0], "median",
                     quantile(value, count, 0.5), "p90", quantile(value, count, 0.9), "most", value[count - 1]);
}

static void add(group *g, const dl_demo_summary *demo)
{
    need(DL_GROW(g->ratio, g->ratio_capacity, g->count + 1));
    need(DL_GROW(g->makespan, g->makespan_capacity, g->count + 1));
    g->ratio[g->count] = demo->lower_bound > 0 ? (double)demo->soc / (double)demo->lower_bound : 1;
    g->makespan[g->count++] = demo->makespan;
}

static json_t *describe(group *g)
{
    json_t *object = json_object();
    if (*g->family) json_object_set_new(object, "family", json_string(g->family));
    if (g->agents) json_object_set_new(object, "agents", json_integer(g->agents));
    json_object_set_new(object, "demonstrations", json_integer((json_int_t)g->count));
    if (g->count == 0) return object;
    json_object_set_new(object, "soc_over_lower_bound", distribution(g->ratio, g->count));
    json_object_set_new(object, "makespan", distribution(g->makespan, g->count));
    return object;
}

/* How far the demonstrations lie below the plans they came from, where those were kept. */
static dl_status add_pairs(const dl_demos *demos, json_t *card, dl_error *err)
{
    double *ratio = NULL;
    size_t count = 0, capacity = 0;
    dl_status status = DIFFLNS_OK;
    for (int64_t i = 0; status == DIFFLNS_OK && i < dl_demos_count(demos); i++) {
        dl_demo demo;
        status = dl_demos_read(demos, i, &demo, err);
        if (status == DIFFLNS_OK && demo.earlier) {
            need(DL_GROW(ratio, capacity, count + 1));
            ratio[count++] = (double)dl_plan_soc(demo.earlier) / (double)dl_plan_soc(demo.plan);
        }
        dl_demo_release(&demo);
    }
    json_t *pairs = json_object();
    json_object_set_new(pairs, "demonstrations", json_integer((json_int_t)count));
    if (count > 0) json_object_set_new(pairs, "earlier_over_soc", distribution(ratio, count));
    json_object_set_new(card, "pairs", pairs);
    free(ratio);
    return status;
}

/* How many makespans lie in [0, 16), [16, 32), ... */
static json_t *histogram(const group *all)
{
    json_t *bars = json_array();
    size_t i = 0; /* the makespans are sorted by now */
    for (int low = 0; i < all->count; low += MAKESPAN_STEP) {
        int count = 0;
        for (; i < all->count && all->makespan[i] < low + MAKESPAN_STEP; i++) count++;
        json_array_append_new(bars,
                              json_pack("{s:i, s:i, s:i}", "from", low, "below", low + MAKESPAN_STEP, "count", count));
    }
    return bars;
}

static group *find_group(group **groups, size_t *count, size_t *capacity, const dl_demo_summary *demo)
{
    for (size_t i = 0; i < *count; i++)
        if ((*groups)[i].agents == demo->agents && strcmp((*groups)[i].family, demo->family) == 0) return &(*groups)[i];
    need(DL_GROW(*groups, *capacity, *count + 1));
    group *g = &(*groups)[(*count)++];
    *g = (group){.agents = demo->agents};
    memcpy(g->family, demo->family, sizeof g->family);
    return g;
}

static int by_name(const void *a, const void *b)
{
    const group *x = a, *y = b;
    int order = strcmp(x->family, y->family);
    return order ? order : x->agents - y->agents;
}

dl_status dl_expert_write_card(const char *path, const dl_demos *demos, dl_error *err)
{
    group all = {0}, *groups = NULL;
    size_t count = 0, capacity = 0;
    for (int64_t i = 0; i < dl_demos_count(demos); i++) {
        const dl_demo_summary *demo = dl_demos_summary(demos, i);
        add(&all, demo);
        add(find_group(&groups, &count, &capacity, demo), demo);
    }
    if (count) qsort(groups, count, sizeof *groups, by_name);
    json_t *card = json_pack("{s:s, s:i, s:s}", "format", "difflns-demonstrations-card", "version", 1, "file",
                             dl_file_base_name(path));
    json_object_set_new(card, "made_with", json_loads(dl_demos_about(demos), 0, NULL));
    json_object_set_new(card, "unsolved", json_integer((json_int_t)dl_demos_unsolved(demos)));
    json_object_set_new(card, "all", describe(&all));
    json_object_set_new(card, "makespans", histogram(&all));
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(list, describe(&groups[i]));
    json_object_set_new(card, "groups", list);

    dl_text name = {0};
    dl_text_print(&name, "%s.card.json", path);
    dl_output out;
    need(!name.cut);
    bool has_pairs = json_is_true(json_object_get(json_object_get(card, "made_with"), "pairs"));
    dl_status status = has_pairs ? add_pairs(demos, card, err) : DIFFLNS_OK;
    if (status == DIFFLNS_OK) status = dl_output_open(&out, name.data, err);
    if (status == DIFFLNS_OK) {
        json_dumpf(card, out.stream, JSON_INDENT(2) | JSON_REAL_PRECISION(5));
        fputc('\n', out.stream);
        status = dl_output_commit(&out, err);
    }
    dl_text_free(&name);
    json_decref(card);
    for (size_t i = 0; i < count; i++) {
        free(groups[i].ratio);
        free(groups[i].makespan);
    }
    free(groups);
    free(all.ratio);
    free(all.makespan);
    return status;
}

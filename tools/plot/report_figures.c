#include "plot/report_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "memory/need.h"

enum { COLUMNS = 3 };

/* ---- what is drawn ---- */

typedef struct metric {
    const char *title;
    size_t ours, theirs; /* offsets in dl_summary_row (a dl_estimate) and dl_paper_row (a double) */
    bool percent, log_y, zero;
    bool given_to_lacam; /* LaCAM has it from another method: nothing to show */
} metric;

#define METRIC(title, ours, theirs, ...)                                                                               \
    {                                                                                                                  \
        title, offsetof(dl_summary_row, ours), offsetof(dl_paper_row, theirs), __VA_ARGS__                             \
    }

static const metric SUCCESS = METRIC("Success rate", success, success, .percent = true);
static const metric COST = METRIC("Sum of costs (solved)", soc, soc, .zero = false);
static const metric FAIR_COST = METRIC("Sum of costs (solved by all)", common_soc, soc, .zero = true);
static const metric RUNTIME = METRIC("Runtime, seconds (all)", seconds, seconds, .log_y = true, .given_to_lacam = true);
static const metric CANDIDATES = METRIC("Candidates", candidates, candidates, .zero = true);

static dl_estimate ours(const metric *m, const dl_summary_row *row)
{
    dl_estimate estimate;
    memcpy(&estimate, (const char *)row + m->ours, sizeof estimate);
    return estimate;
}

static double theirs(const metric *m, const dl_paper_row *row)
{
    double number;
    memcpy(&number, (const char *)row + m->theirs, sizeof number);
    return number;
}

/* ---- small lists ---- */

/* How a method looks in every figure of a report. */
typedef struct look {
    const char *name;
    dl_color color;
    int marker;
} look;

typedef struct builder {
    const dl_report *report;
    dl_report_figures *out;
    dl_arena *arena;
    look look[DL_MARKERS];
    int looks;
} builder;

/* The paper's methods look like ours of the same kind, but faint. */
static const char *namesake(const char *method)
{
    static const char *const PAIR[][2] = {
        {"DiffLNS", "difflns"}, {"LNS2", "lns2"}, {"LaCAM3", "lacam"}, {"PP-Multistart", "pp-multistart"}};
    for (size_t i = 0; i < sizeof PAIR / sizeof PAIR[0]; i++)
        if (strcmp(PAIR[i][0], method) == 0) return PAIR[i][1];
    return method;
}

/* The first twelve methods of a report differ in color and point. */
static look look_of(builder *b, const char *method)
{
    method = namesake(method);
    for (int i = 0; i < b->looks; i++)
        if (strcmp(b->look[i].name, method) == 0) return b->look[i];
    look made = {method, dl_series_color(b->looks), b->looks % DL_MARKERS};
    if (b->looks < DL_MARKERS) b->look[b->looks++] = made;
    return made;
}

static const char *print(builder *b, const char *format, const char *text, int number)
{
    char line[160];
    snprintf(line, sizeof line, format, text, number);
    size_t size = strlen(line) + 1;
    return memcpy(dl_arena_alloc(b->arena, size), line, size);
}

/* The names of the methods on these rows, in their order; every name once. */
static int list_methods(const dl_summary *summary, const char *family, const char **names)
{
    int count = 0;
    for (int i = 0; i < summary->count; i++) {
        bool there = family && strcmp(summary->row[i].family, family) != 0;
        for (int k = 0; k < count; k++) there |= strcmp(names[k], summary->row[i].method) == 0;
        if (!there) names[count++] = summary->row[i].method;
    }
    return count;
}

typedef struct setting {
    const char *family;
    int agents;
} setting;

static int list_settings(const dl_summary *summary, const char *family, setting *list)
{
    int count = 0;
    for (int i = 0; i < summary->count; i++) {
        const dl_summary_row *row = &summary->row[i];
        if (family && strcmp(row->family, family) != 0) continue;
        bool last =
            count > 0 && list[count - 1].agents == row->agents && strcmp(list[count - 1].family, row->family) == 0;
        if (!last) list[count++] = (setting){row->family, row->agents};
    }
    return count;
}

static const char *const PAPER_METHODS[] = {"DiffLNS", "LNS2", "LNS2+RL", "HMAGAT", "LaCAM3", "PP-Multistart"};
enum { PAPER_COUNT = sizeof PAPER_METHODS / sizeof PAPER_METHODS[0] };

/* Does the paper state this of the method anywhere here? */
static bool paper_has(const builder *b, const metric *m, const char *method, const setting *settings, int count)
{
    for (int i = 0; i < count; i++) {
        const dl_paper_row *row = dl_paper_find(b->report->paper, b->report->experiment->paper, settings[i].family,
                                                settings[i].agents, method);
        if (row && isfinite(theirs(m, row))) return true;
    }
    return false;
}

/* ---- series ---- */

typedef struct points {
    double *x, *y, *low, *high;
} points;

static points make_points(builder *b, int count)
{
    points p = {needed(DL_ARENA_ARRAY(b->arena, double, count)), needed(DL_ARENA_ARRAY(b->arena, double, count)),
                needed(DL_ARENA_ARRAY(b->arena, double, count)), needed(DL_ARENA_ARRAY(b->arena, double, count))};
    for (int i = 0; i < count; i++) p.x[i] = p.y[i] = p.low[i] = p.high[i] = NAN;
    return p;
}

static dl_series our_series(builder *b, const metric *m, const char *method, const setting *settings, int count,
                            bool bars)
{
    points p = make_points(b, count);
    for (int i = 0; i < count; i++) {
        const dl_summary_row *row = dl_summary_find(b->report->summary, settings[i].family, settings[i].agents, method);
        p.x[i] = bars ? i : settings[i].agents;
        if (!row || (m->given_to_lacam && strcmp(method, "lacam") == 0)) continue;
        dl_estimate estimate = ours(m, row);
        p.y[i] = estimate.value;
        p.low[i] = estimate.low;
        p.high[i] = estimate.high;
    }
    look l = look_of(b, method);
    return (dl_series){method, l.color, false, false, count, p.x, p.y, p.low, p.high, l.marker};
}

static dl_series their_series(builder *b, const metric *m, const char *method, const setting *settings, int count,
                              bool bars)
{
    points p = make_points(b, count);
    for (int i = 0; i < count; i++) {
        const dl_paper_row *row = dl_paper_find(b->report->paper, b->report->experiment->paper, settings[i].family,
                                                settings[i].agents, method);
        p.x[i] = bars ? i : settings[i].agents;
        if (row) p.y[i] = theirs(m, row);
    }
    look l = look_of(b, method);
    return (dl_series){print(b, "%s (paper)", method, 0), l.color, true, false, count, p.x, p.y, NULL, NULL, l.marker};
}

/* "medium-maze" and 190 as a label of three lines. */
static const char *bar_label(builder *b, const setting *s)
{
    char *label = (char *)print(b, "%s\n%d", s->family, s->agents);
    char *dash = strchr(label, '-');
    if (dash) *dash = '\n';
    return label;
}

static dl_panel make_panel(builder *b, const metric *m, const char *title, const setting *settings, int count,
                           const char **methods, int method_count, bool bars)
{
    dl_series *series = needed(DL_ARENA_ARRAY(b->arena, dl_series, method_count + PAPER_COUNT));
    int total = 0;
    for (int i = 0; i < method_count; i++) series[total++] = our_series(b, m, methods[i], settings, count, bars);
    for (int i = 0; i < PAPER_COUNT; i++)
        if (paper_has(b, m, PAPER_METHODS[i], settings, count))
            series[total++] = their_series(b, m, PAPER_METHODS[i], settings, count, bars);
    const char **labels = needed(DL_ARENA_ARRAY(b->arena, const char *, count));
    for (int i = 0; i < count; i++) labels[i] = bar_label(b, &settings[i]);
    return (dl_panel){.title = title,
                      .x_label = "agents",
                      .bars = bars,
                      .category = labels,
                      .categories = count,
                      .log_y = m->log_y && !bars,
                      .percent = m->percent,
                      .zero = m->zero || bars,
                      .series = series,
                      .count = total};
}

static void add_figure(builder *b, const char *name, const char *title, const char *caption, const dl_panel *panel,
                       int panels, int columns)
{
    dl_report_figures *out = b->out;
    need(DL_GROW(out->figure, out->room, out->count + 1));
    out->figure[out->count++] = (dl_report_figure){{title, panel, panels, columns}, name, caption};
}

/* ---- shapes ---- */

static int list_families(const dl_summary *summary, const char **families)
{
    int count = 0;
    for (int i = 0; i < summary->count; i++)
        if (count == 0 || strcmp(families[count - 1], summary->row[i].family) != 0)
            families[count++] = summary->row[i].family;
    return count;
}

static void draw_lines(builder *b, const metric *const *metrics, int metric_count)
{
    const dl_summary *summary = b->report->summary;
    const char **families = needed(DL_ARENA_ARRAY(b->arena, const char *, summary->count));
    const char **methods = needed(DL_ARENA_ARRAY(b->arena, const char *, summary->count));
    setting *settings = needed(DL_ARENA_ARRAY(b->arena, setting, summary->count));
    int family_count = list_families(summary, families);
    for (int f = 0; f < family_count; f++) {
        int count = list_settings(summary, families[f], settings);
        int method_count = list_methods(summary, families[f], methods);
        dl_panel *panels = needed(DL_ARENA_ARRAY(b->arena, dl_panel, metric_count));
        for (int m = 0; m < metric_count; m++)
            panels[m] = make_panel(b, metrics[m], metrics[m]->title, settings, count, methods, method_count, false);
        add_figure(
            b, families[f], families[f],
            "Bands are 95 % intervals (Wilson for rates, Student for means). Dashed lines are the paper's figures, "
            "on its machines and instances.",
            panels, metric_count, COLUMNS);
    }
}

static void draw_candidates(builder *b)
{
    const dl_summary *summary = b->report->summary;
    const char **families = needed(DL_ARENA_ARRAY(b->arena, const char *, summary->count));
    const char **methods = needed(DL_ARENA_ARRAY(b->arena, const char *, summary->count));
    setting *settings = needed(DL_ARENA_ARRAY(b->arena, setting, summary->count));
    int family_count = list_families(summary, families), method_count = list_methods(summary, NULL, methods);
    dl_panel *panels = needed(DL_ARENA_ARRAY(b->arena, dl_panel, family_count));
    for (int f = 0; f < family_count; f++) {
        int count = list_settings(summary, families[f], settings);
        panels[f] = make_panel(b, &CANDIDATES, families[f], settings, count, methods, method_count, false);
    }
    add_figure(b, "candidates", "Candidates used", "Mean number of drafts until one was repaired, with 95 % intervals.",
               panels, family_count, COLUMNS);
}

static void draw_bars(builder *b)
{
    static const metric *const METRICS[] = {&SUCCESS, &FAIR_COST, &RUNTIME, &CANDIDATES};
    enum { METRIC_COUNT = sizeof METRICS / sizeof METRICS[0] };
    const dl_summary *summary = b->report->summary;
    const char **methods = needed(DL_ARENA_ARRAY(b->arena, const char *, summary->count));
    setting *settings = needed(DL_ARENA_ARRAY(b->arena, setting, summary->count));
    int count = list_settings(summary, NULL, settings), method_count = list_methods(summary, NULL, methods);
    dl_panel *panels = needed(DL_ARENA_ARRAY(b->arena, dl_panel, METRIC_COUNT));
    for (int m = 0; m < METRIC_COUNT; m++)
        panels[m] = make_panel(b, METRICS[m], METRICS[m]->title, settings, count, methods, method_count, true);
    add_figure(b, b->report->experiment->name, b->report->experiment->title,
               "Whiskers are 95 % intervals. Pale bars are the paper's figures where it states them.", panels,
               METRIC_COUNT, 2);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The share of runs repaired within ever more iterations. */
static dl_series repaired_within(builder *b, const char *start, const setting *s)
{
    const dl_records *records = b->report->records;
    points p = make_points(b, records->count + 2);
    double *solved = needed(DL_ARENA_ARRAY(b->arena, double, records->count));
    double least = INFINITY, most = 1; /* iterations of any start: where the curves of this setting begin and end */
    int cases = 0, hits = 0, count = 0;
    for (int i = 0; i < records->count; i++) {
        const dl_record *r = &records->row[i];
        if (r->agents != s->agents || strcmp(r->family, s->family) != 0) continue;
        least = fmin(least, fmax(1, (double)r->iterations));
        most = fmax(most, (double)r->iterations);
        if (strcmp(r->method, start) != 0) continue;
        cases++;
        if (r->outcome == DL_RUN_SOLVED) solved[hits++] = fmax(1, (double)r->iterations);
    }
    qsort(solved, (size_t)hits, sizeof *solved, by_value);
    p.x[count] = least;
    p.y[count++] = 0;
    for (int i = 0; i < hits; i++) {
        p.x[count] = solved[i];
        p.y[count++] = (i + 1.0) / cases;
    }
    p.x[count] = most;
    p.y[count++] = cases > 0 ? (double)hits / cases : 0;
    look l = look_of(b, start);
    return (dl_series){start, l.color, false, true, count, p.x, p.y, NULL, NULL, l.marker};
}

static void draw_starts(builder *b)
{
    const dl_repairability *table = b->report->repairability;
    const dl_summary *summary = b->report->summary;
    const char **starts = needed(DL_ARENA_ARRAY(b->arena, const char *, summary->count));
    setting *settings = needed(DL_ARENA_ARRAY(b->arena, setting, summary->count));
    int count = list_settings(summary, NULL, settings), start_count = list_methods(summary, NULL, starts);
    dl_panel *bars = needed(DL_ARENA_ARRAY(b->arena, dl_panel, count)),
             *curves = needed(DL_ARENA_ARRAY(b->arena, dl_panel, count));
    for (int k = 0; k < count; k++) {
        dl_series *bar = needed(DL_ARENA_ARRAY(b->arena, dl_series, start_count));
        dl_series *curve = needed(DL_ARENA_ARRAY(b->arena, dl_series, start_count));
        const char *title = print(b, "%s %d", settings[k].family, settings[k].agents);
        double budget = 0;
        for (int s = 0; s < start_count; s++) {
            points p = make_points(b, 1);
            p.x[0] = 0;
            for (int i = 0; i < table->count; i++) {
                const dl_repairability_row *row = &table->row[i];
                if (row->agents != settings[k].agents || strcmp(row->family, settings[k].family) != 0 ||
                    strcmp(row->start, starts[s]) != 0)
                    continue;
                p.y[0] = row->success.value;
                p.low[0] = row->success.low;
                p.high[0] = row->success.high;
                budget = row->budget;
            }
            look l = look_of(b, starts[s]);
            bar[s] = (dl_series){starts[s], l.color, false, false, 1, p.x, p.y, p.low, p.high, l.marker};
            curve[s] = repaired_within(b, starts[s], &settings[k]);
        }
        const char **label = needed(DL_ARENA_ARRAY(b->arena, const char *, 1));
        label[0] = print(b, "%swithin %d iterations", "", (int)budget);
        bars[k] = (dl_panel){.title = title,
                             .bars = true,
                             .category = label,
                             .categories = 1,
                             .percent = true,
                             .series = bar,
                             .count = start_count};
        curves[k] = (dl_panel){.title = title,
                               .x_label = "iterations of repair",
                               .log_x = true,
                               .percent = true,
                               .series = curve,
                               .count = start_count};
    }
    add_figure(
        b, "init-success", "Repaired within the budget",
        "Within the number of iterations at which half of the prioritized starts are repaired. Whiskers are 95 % "
        "intervals.",
        bars, count, COLUMNS);
    add_figure(b, "init-curves", "Repaired within ever more iterations", "Share of the cases repaired by then.", curves,
               count, COLUMNS);
}

dl_report_figures dl_report_figures_of(const dl_report *report)
{
    static const metric *const MAIN[] = {&SUCCESS, &COST, &RUNTIME};
    dl_report_figures out = {0};
    builder b = {.report = report, .out = &out, .arena = &out.arena};
    switch (report->experiment->shape) {
    case DL_SHAPE_LINES:
        draw_lines(&b, MAIN, sizeof MAIN / sizeof MAIN[0]);
        break;
    case DL_SHAPE_CANDIDATES:
        draw_candidates(&b);
        break;
    case DL_SHAPE_BARS:
        draw_bars(&b);
        break;
    case DL_SHAPE_INIT:
        draw_starts(&b);
        break;
    }
    return out;
}

void dl_report_figures_free(dl_report_figures *figures)
{
    free(figures->figure);
    dl_arena_free(&figures->arena);
    figures->figure = NULL;
    figures->count = figures->room = 0;
}

#include "plot/report_scaling.h"

#include <math.h>

#include "base/arena.h"
#include "memory/need.h"
#include "plot/report_page.h"

static const char ABOUT[] =
    "Processor time of filling all distance fields, of one iteration of repair from shortest paths, and of one pass of "
    "the compact network over a whole draft with its decoding; and by how much the process grew for it. One of agents, "
    "map and timesteps grows, the others stay: 96 agents, a maze of 33x33, 64 timesteps.";

static const char *const SIZE[DL_SWEEPS] = {"agents", "free cells", "timesteps"};
static const dl_color COLOR[DL_OPERATIONS] = {{0, 158, 115}, {230, 145, 0}, {0, 114, 178}};

static dl_series make_series(const dl_scaling *scaling, dl_sweep sweep, dl_operation operation, bool memory,
                             dl_arena *arena)
{
    double *x = needed(DL_ARENA_ARRAY(arena, double, scaling->count)),
           *y = needed(DL_ARENA_ARRAY(arena, double, scaling->count));
    int count = 0;
    for (int i = 0; i < scaling->count; i++) {
        const dl_scaling_point *point = &scaling->point[i];
        if (point->sweep != sweep || point->operation != operation) continue;
        x[count] = dl_scaling_size(point);
        y[count++] = memory ? point->megabytes : point->seconds;
    }
    return (dl_series){.name = dl_operation_name(operation), .color = COLOR[operation], .count = count, .x = x, .y = y};
}

static dl_status add_charts(const dl_scaling *scaling, dl_text *page, const char *folder, dl_error *err)
{
    dl_arena arena = {0};
    dl_panel panel[2 * DL_SWEEPS];
    dl_series series[2 * DL_SWEEPS][DL_OPERATIONS];
    for (int i = 0; i < 2 * DL_SWEEPS; i++) {
        dl_sweep sweep = (dl_sweep)(i % DL_SWEEPS);
        bool memory = i >= DL_SWEEPS;
        for (int k = 0; k < DL_OPERATIONS; k++)
            series[i][k] = make_series(scaling, sweep, (dl_operation)k, memory, &arena);
        panel[i] = (dl_panel){.title = memory ? "Megabytes" : "Seconds",
                              .x_label = SIZE[sweep],
                              .log_x = true,
                              .log_y = true,
                              .series = series[i],
                              .count = DL_OPERATIONS};
    }
    dl_report_figure figure = {{"Growth of time and memory", panel, 2 * DL_SWEEPS, DL_SWEEPS},
                               "scaling",
                               "Both axes are logarithmic: a straight line is a power law, its slope the exponent."};
    dl_status status = dl_report_add_figure(page, &figure, folder, err);
    dl_arena_free(&arena);
    return status;
}

static void add_exponent(dl_text *page, const dl_estimate *e)
{
    dl_text_print(page, "<td>");
    dl_report_add_number(page, e->value, 2);
    if (isfinite(e->low)) dl_text_print(page, "<small>%.2f – %.2f</small>", e->low, e->high);
    dl_text_print(page, "</td>");
}

static void add_table(const dl_scaling *scaling, dl_text *page)
{
    dl_text_print(page, "<h2>Exponents</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>What grows</th><th>Of what"
                        "</th><th>Time</th><th>Memory</th></tr></thead>\n<tbody>\n");
    for (int i = 0; i < DL_SWEEPS * DL_OPERATIONS; i++) {
        dl_sweep sweep = (dl_sweep)(i / DL_OPERATIONS);
        dl_operation operation = (dl_operation)(i % DL_OPERATIONS);
        dl_estimate time = dl_scaling_exponent(scaling, sweep, operation, 0);
        dl_estimate memory = dl_scaling_exponent(scaling, sweep, operation, 1);
        if (time.count == 0) continue;
        dl_text_print(page, "<tr><th>%s</th><th>%s</th>", SIZE[sweep], dl_operation_name(operation));
        add_exponent(page, &time);
        add_exponent(page, &memory);
        dl_text_print(page, "</tr>\n");
    }
    dl_text_print(page, "</tbody></table></div>\n<p class=\"note\">Exponent b of the best a·x<sup>b</sup>, with its "
                        "95%% interval. Growth of less than half a megabyte is not counted.</p>\n");
}

dl_status dl_report_write_scaling(const dl_scaling *scaling, const char *command, const char *folder, dl_error *err)
{
    dl_text page = {0};
    dl_report_begin(&page, "scaling", "How time and memory grow", ABOUT);
    dl_report_add_circumstances(&page, command, "");
    dl_status status = add_charts(scaling, &page, folder, err);
    add_table(scaling, &page);
    return dl_report_finish(&page, status, folder, err);
}

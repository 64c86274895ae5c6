#include "plot/report_anytime.h"

#include <math.h>

#include "base/arena.h"
#include "memory/need.h"
#include "plot/report_page.h"

static const char ABOUT[] =
    "The sum of costs of the best plan over time. Ours (auto) is one run with --stop limit, listened to as it works; "
    "other solvers are run once for each limit, and what they hand over counts from the end of that limit on.";
enum { COLUMNS = 2 };

/* A staircase that goes on to the last checkpoint. */
static dl_series make_series(const dl_anytime *anytime, const dl_anytime_curve *curve, dl_arena *arena)
{
    double *x = needed(DL_ARENA_ARRAY(arena, double, curve->count + 1)),
           *y = needed(DL_ARENA_ARRAY(arena, double, curve->count + 1));
    int count = 0;
    for (int i = 0; i < curve->count; i++) {
        if (count > 0 && (double)curve->point[i].soc > y[count - 1]) continue; /* a longer run that ended dearer */
        x[count] = fmax(curve->point[i].seconds, 1e-3);
        y[count++] = (double)curve->point[i].soc;
    }
    double end = anytime->checkpoint[DL_CHECKPOINTS - 1];
    if (count > 0 && x[count - 1] < end) {
        x[count] = end;
        y[count] = y[count - 1];
        count++;
    }
    return (dl_series){.name = anytime->methods.method[curve->method].name,
                       .color = dl_series_color(curve->method),
                       .steps = true,
                       .count = count,
                       .x = x,
                       .y = y,
                       .marker = curve->method % DL_MARKERS};
}

static dl_status add_charts(const dl_anytime *anytime, dl_text *page, const char *folder, dl_error *err)
{
    int methods = anytime->methods.count, instances = anytime->curves / methods;
    dl_arena arena = {0};
    dl_panel *panel = needed(DL_ARENA_ARRAY(&arena, dl_panel, instances));
    dl_series *series = needed(DL_ARENA_ARRAY(&arena, dl_series, anytime->curves));
    for (int i = 0; i < instances * methods; i++) series[i] = make_series(anytime, &anytime->curve[i], &arena);
    for (int i = 0; i < instances; i++)
        panel[i] = (dl_panel){.title = anytime->curve[i * methods].instance,
                              .x_label = "seconds",
                              .log_x = true,
                              .log_y = true,
                              .series = series + (size_t)i * (size_t)methods,
                              .count = methods};
    dl_report_figure figure = {{"Sum of costs over time", panel, instances, COLUMNS},
                               "anytime",
                               "Both axes are logarithmic. A curve begins with the first plan."};
    dl_status status = instances > 0 ? dl_report_add_figure(page, &figure, folder, err) : DIFFLNS_OK;
    dl_arena_free(&arena);
    return status;
}

static void add_table(const dl_anytime *anytime, dl_text *page)
{
    dl_text_print(page, "<h2>Costs</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>Instance</th><th>Method</th>");
    for (int k = 0; k < DL_CHECKPOINTS; k++) dl_text_print(page, "<th>%g s</th>", anytime->checkpoint[k]);
    dl_text_print(page, "</tr></thead>\n<tbody>\n");
    for (int i = 0; i < anytime->curves; i++) {
        const dl_anytime_curve *curve = &anytime->curve[i];
        dl_text_print(page, "<tr><th>%s</th><th>%s</th>", curve->instance, anytime->methods.method[curve->method].name);
        for (int k = 0; k < DL_CHECKPOINTS; k++) {
            int64_t soc = dl_anytime_cost(curve, anytime->checkpoint[k]);
            dl_text_print(page, "<td>");
            dl_report_add_number(page, soc < 0 ? NAN : (double)soc, 0);
            dl_text_print(page, "</td>");
        }
        dl_text_print(page, "</tr>\n");
    }
    for (int m = 1; m < anytime->methods.count; m++) {
        dl_text_print(page, "<tr><th>cost over ours, geometric mean</th><th>%s</th>", anytime->methods.method[m].name);
        for (int k = 0; k < DL_CHECKPOINTS; k++) {
            int count;
            double ratio = dl_anytime_ratio(anytime, m, k, &count);
            dl_text_print(page, "<td>");
            dl_report_add_number(page, ratio, 3);
            dl_text_print(page, "<small>%d instances</small></td>", count);
        }
        dl_text_print(page, "</tr>\n");
    }
    dl_text_print(page, "</tbody></table></div>\n<p class=\"note\">A dash: no valid plan by then. Ratios are over the "
                        "instances where both have one; above 1, ours is cheaper.</p>\n");
}

dl_status dl_report_write_anytime(const dl_anytime *anytime, const char *command, const char *folder, dl_error *err)
{
    dl_text page = {0};
    dl_report_begin(&page, "anytime", "Cost over time", ABOUT);
    dl_report_add_circumstances(&page, command, "");
    dl_status status = add_charts(anytime, &page, folder, err);
    add_table(anytime, &page);
    return dl_report_finish(&page, status, folder, err);
}

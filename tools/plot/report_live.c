#include "plot/report_live.h"

#include "plot/report_page.h"

static const char ABOUT[] =
    "Robots in a warehouse get a new random goal whenever they reach their own. Windowed repair is difflns_fleet as it "
    "is, "
    "PIBT alone the same without improvement, one-shot solves the whole way of everybody anew in every tick and keeps "
    "the first plan; without one in time everybody waits.";

/* What the series point to. */
typedef struct numbers {
    double x[DL_LIVE_DENSITIES], y[DL_LIVE_DENSITIES], low[DL_LIVE_DENSITIES], high[DL_LIVE_DENSITIES],
        time[DL_LIVE_DENSITIES];
} numbers;

static dl_status add_charts(const dl_live_results *results, dl_text *page, const char *folder, dl_error *err)
{
    numbers of[DL_LIVE_METHODS];
    dl_series throughput[DL_LIVE_METHODS], time[DL_LIVE_METHODS];
    int count = 0;
    for (int m = 0; m < DL_LIVE_METHODS; m++) {
        if (!results->has[m]) continue;
        for (int k = 0; k < DL_LIVE_DENSITIES; k++) {
            const dl_live_point *p = &results->point[m][k];
            of[m].x[k] = 100 * p->share;
            of[m].y[k] = p->throughput.value;
            of[m].low[k] = p->throughput.low;
            of[m].high[k] = p->throughput.high;
            of[m].time[k] = p->plan_ms_p99;
        }
        throughput[count] = (dl_series){.name = dl_live_method_name((dl_live_method)m),
                                        .color = dl_series_color(m),
                                        .count = DL_LIVE_DENSITIES,
                                        .x = of[m].x,
                                        .y = of[m].y,
                                        .low = of[m].low,
                                        .high = of[m].high};
        time[count] = throughput[count];
        time[count].y = of[m].time;
        time[count].low = time[count].high = NULL;
        count++;
    }
    dl_panel panel[2] = {{.title = "Goals per tick",
                          .x_label = "free cells taken, percent",
                          .zero = true,
                          .series = throughput,
                          .count = count},
                         {.title = "Milliseconds to plan a tick, p99",
                          .x_label = "free cells taken, percent",
                          .log_y = true,
                          .series = time,
                          .count = count}};
    dl_report_figure figure = {{"A fleet in motion", panel, 2, 2},
                               "live",
                               "Bands are 95% intervals over seeds, a map and tasks of its own each."};
    return dl_report_add_figure(page, &figure, folder, err);
}

dl_status dl_report_write_live(const dl_live_results *results, const char *command, const char *folder, dl_error *err)
{
    dl_text page = {0};
    dl_report_begin(&page, "live", "A fleet in motion", ABOUT);
    dl_report_add_circumstances(&page, command, "");
    dl_status status = add_charts(results, &page, folder, err);
    return dl_report_finish(&page, status, folder, err);
}

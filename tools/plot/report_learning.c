#include "plot/report_learning.h"

#include <math.h>
#include <stddef.h>

#include "base/arena.h"
#include "memory/need.h"
#include "plot/report_page.h"

static const char ABOUT[] =
    "What the logs of trainings say: the cross-entropy of clean tokens, and what real drafts of held-out instances are "
    "worth, as tokens add up: colliding pairs per agent, and the cost after repair and improvement, relative to the "
    "demonstrations. Prioritized planning, which learns nothing, is drawn dashed.";

typedef struct quantity {
    const char *title;
    size_t value, yardstick; /* offsets in dl_learning_point; 0 = no yardstick */
    bool log_y;
} quantity;

static const quantity QUANTITY[] = {{"Cross-entropy", offsetof(dl_learning_point, loss), 0, true},
                                    {"Colliding pairs per agent", offsetof(dl_learning_point, pairs),
                                     offsetof(dl_learning_point, prioritized_pairs), false},
                                    {"Final cost over the demonstrations'", offsetof(dl_learning_point, improved),
                                     offsetof(dl_learning_point, prioritized_improved), false}};
enum { QUANTITIES = sizeof QUANTITY / sizeof QUANTITY[0] };

static dl_series make_series(const dl_learning_curve *curve, size_t value, const char *name, int number,
                             dl_arena *arena)
{
    double *x = needed(DL_ARENA_ARRAY(arena, double, curve->count)),
           *y = needed(DL_ARENA_ARRAY(arena, double, curve->count));
    int count = 0;
    for (int i = 0; i < curve->count; i++) {
        double at = *(const double *)(const void *)((const char *)&curve->point[i] + value);
        if (!isfinite(at)) continue;
        x[count] = curve->point[i].tokens;
        y[count++] = at;
    }
    return (dl_series){
        .name = name, .color = dl_series_color(number), .marker = number % DL_MARKERS, .count = count, .x = x, .y = y};
}

static dl_status add_charts(const dl_learning *learning, dl_text *page, const char *folder, dl_error *err)
{
    dl_arena arena = {0};
    dl_panel panel[QUANTITIES];
    for (int q = 0; q < QUANTITIES; q++) {
        int count = learning->count + (QUANTITY[q].yardstick > 0);
        dl_series *series = needed(DL_ARENA_ARRAY(&arena, dl_series, count));
        for (int i = 0; i < learning->count; i++)
            series[i] = make_series(&learning->curve[i], QUANTITY[q].value, learning->curve[i].name, i, &arena);
        if (QUANTITY[q].yardstick > 0) {
            series[count - 1] =
                make_series(&learning->curve[0], QUANTITY[q].yardstick, "prioritized", learning->count, &arena);
            series[count - 1].faint = true;
        }
        panel[q] = (dl_panel){.title = QUANTITY[q].title,
                              .x_label = "tokens",
                              .log_x = true,
                              .log_y = QUANTITY[q].log_y,
                              .series = series,
                              .count = count};
    }
    dl_report_figure figure = {{"Learning curves", panel, QUANTITIES, QUANTITIES},
                               "learning",
                               "A power law is a straight line in the first chart, whose axes are logarithmic."};
    dl_status status = dl_report_add_figure(page, &figure, folder, err);
    dl_arena_free(&arena);
    return status;
}

static void add_table(const dl_learning *learning, dl_text *page)
{
    dl_text_print(page, "<h2>Power laws</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>Training</th><th>Tokens</th>"
                        "<th>Cross-entropy</th><th>Exponent</th><th>At 3.4e10 tokens</th></tr></thead>\n<tbody>\n");
    for (int i = 0; i < learning->count; i++) {
        const dl_learning_curve *curve = &learning->curve[i];
        const dl_learning_point *last = &curve->point[curve->count - 1];
        dl_learning_law law = dl_learning_extrapolate(curve, DL_PAPER_TOKENS);
        dl_text_print(page, "<tr><th>");
        dl_text_add_html(page, curve->name);
        dl_text_print(page, "</th><td>%.2e</td><td>%.3f</td><td>", last->tokens, last->loss);
        dl_report_add_number(page, law.exponent.value, 3);
        if (isfinite(law.exponent.low))
            dl_text_print(page, "<small>%.3f – %.3f</small>", law.exponent.low, law.exponent.high);
        dl_text_print(page, "</td><td>");
        dl_report_add_number(page, law.loss, 3);
        dl_text_print(page, "</td></tr>\n");
    }
    dl_text_print(page, "</tbody></table></div>\n<p class=\"note\">Exponent b of the best a·x<sup>b</sup> through the "
                        "later half of the epochs, with its 95%% interval; the last column is that law at the tokens "
                        "of the paper's training. A law found over one decade need not hold over four.</p>\n");
}

dl_status dl_report_write_learning(const dl_learning *learning, const char *command, const char *folder, dl_error *err)
{
    dl_text page = {0};
    dl_report_begin(&page, "learning", "Learning curves", ABOUT);
    dl_report_add_circumstances(&page, command, "");
    dl_status status = add_charts(learning, &page, folder, err);
    add_table(learning, &page);
    return dl_report_finish(&page, status, folder, err);
}

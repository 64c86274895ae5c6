#include "plot/report.h"

#include <math.h>
#include <string.h>

#include "memory/need.h"
#include "plot/report_figures.h"

static dl_status add_charts(dl_text *page, const dl_report *report, const char *folder, dl_error *err)
{
    dl_report_figures figures = dl_report_figures_of(report);
    dl_status status = DIFFLNS_OK;
    for (int i = 0; i < figures.count && status == DIFFLNS_OK; i++)
        status = dl_report_add_figure(page, &figures.figure[i], folder, err);
    dl_report_figures_free(&figures);
    return status;
}

/* ---- tables ---- */

/* A cell with its interval in small print. */
static void add_cell(dl_text *page, const dl_estimate *e, double scale, int digits)
{
    dl_text_print(page, "<td>");
    dl_report_add_number(page, e->value * scale, digits);
    if (isfinite(e->low))
        dl_text_print(page, "<small>%.*f – %.*f</small>", digits, fmax(0, e->low * scale), digits, e->high * scale);
    dl_text_print(page, "</td>");
}

static int seconds_digits(double seconds)
{
    return seconds < 1 ? 3 : seconds < 100 ? 2 : 0;
}

/* Theirs, marked where ours is worse. */
static void add_theirs(dl_text *page, double number, int digits, bool ours_is_worse)
{
    dl_text_print(page, "<td class=\"paper%s\">", ours_is_worse ? " better" : "");
    dl_report_add_number(page, number, digits);
    dl_text_print(page, "</td>");
}

static const dl_paper_row *paper_row(const dl_report *report, const dl_summary_row *row)
{
    return dl_paper_find(report->paper, report->experiment->paper, row->family, row->agents,
                         dl_paper_method(row->method));
}

/* Where the paper's candidates are part of the question; elsewhere the table is wide enough. */
static bool with_candidates(const dl_report *report)
{
    return report->experiment->shape != DL_SHAPE_LINES;
}

/* The time LaCAM had. */
static const char *lacam_limit(const dl_report *report)
{
    bool by_auto = false;
    for (int i = 0; i < report->summary->count; i++) {
        const char *method = report->summary->row[i].method;
        if (strcmp(method, "difflns") == 0) return "only as long as difflns took";
        by_auto |= strcmp(method, "auto") == 0;
    }
    return by_auto ? "only as long as auto took" : "the setting's limit";
}

static void add_row(dl_text *page, const dl_report *report, int index)
{
    const dl_summary_row *row = &report->summary->row[index], *before = index > 0 ? row - 1 : NULL;
    bool first = !before || before->agents != row->agents || strcmp(before->family, row->family) != 0;
    dl_text_print(page, first ? "<tr class=\"first\"><th>%s %d</th>" : "<tr><th></th>", row->family, row->agents);
    dl_text_print(page, "<th>%s", row->method);
    if (strcmp(row->method, "lacam") == 0) dl_text_print(page, "<small>%s</small>", lacam_limit(report));
    dl_text_print(page, "</th><td>%d / %d", row->solved, row->cases);
    if (row->unsolvable > 0) dl_text_print(page, "<small>%d unsolvable</small>", row->unsolvable);
    dl_text_print(page, "</td>");
    add_cell(page, &row->success, 100, 1);
    add_cell(page, &row->soc, 1, 1);
    add_cell(page, &row->common_soc, 1, 1);
    add_cell(page, &row->ratio, 1, 2);
    add_cell(page, &row->seconds, 1, seconds_digits(row->seconds.value));
    add_cell(page, &row->candidates, 1, 1);
    const dl_paper_row *theirs = paper_row(report, row);
    if (theirs) {
        add_theirs(page, theirs->success * 100, 0, row->success.value < theirs->success - 0.0005);
        add_theirs(page, theirs->soc, 1, row->soc.value > theirs->soc);
        add_theirs(page, theirs->seconds, 1, row->seconds.value > theirs->seconds);
        if (with_candidates(report))
            add_theirs(page, theirs->candidates, 2, row->candidates.value > theirs->candidates);
    } else {
        dl_text_print(page, "<td></td><td></td><td></td>%s", with_candidates(report) ? "<td></td>" : "");
    }
    dl_text_print(page, "</tr>\n");
}

static void add_table(dl_text *page, const dl_report *report)
{
    dl_text_print(page,
                  "<h2>All figures</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>Setting</th><th>Method</th>"
                  "<th>Solved</th><th>SR %%</th><th>SOC</th><th>SOC, solved by all</th><th>SOC / distances</th>"
                  "<th>Runtime s</th><th>Candidates</th><th>Paper SR %%</th><th>Paper SOC</th><th>Paper s</th>"
                  "%s</tr></thead>\n<tbody>\n",
                  with_candidates(report) ? "<th>Paper candidates</th>" : "");
    for (int i = 0; i < report->summary->count; i++) add_row(page, report, i);
    dl_text_print(page, "</tbody></table></div>\n");
    dl_text_print(page,
                  "<p class=\"note\">SR: share of all cases solved. SOC: sum of costs, mean over the solved cases; "
                  "<em>solved by all</em>: over the cases every method of the setting solved, the fair comparison. "
                  "Runtime: wall clock, mean over all cases, failures included. Small print: 95%% intervals. "
                  "<span class=\"better\">Marked</span>: the paper's figure is better than ours.</p>\n");
}

static void add_starts_table(dl_text *page, const dl_repairability *table)
{
    dl_text_print(page,
                  "<h2>Starts</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>Setting</th><th>Start</th><th>Budget, "
                  "iterations</th><th>Repaired within it %%</th><th>Median iterations</th><th>SOC / distances</th>"
                  "<th>Colliding pairs at the start</th></tr></thead>\n<tbody>\n");
    for (int i = 0; i < table->count; i++) {
        const dl_repairability_row *row = &table->row[i];
        bool first = i == 0 || row[-1].agents != row->agents || strcmp(row[-1].family, row->family) != 0;
        dl_text_print(page, first ? "<tr class=\"first\"><th>%s %d</th>" : "<tr><th></th>", row->family, row->agents);
        dl_text_print(page, "<th>%s</th><td>%.0f</td>", row->start, row->budget);
        add_cell(page, &row->success, 100, 1);
        dl_text_print(page, "<td>");
        dl_report_add_number(page, row->median, 0);
        dl_text_print(page, "</td>");
        add_cell(page, &row->ratio, 1, 3);
        add_cell(page, &row->conflicts, 1, 1);
        dl_text_print(page, "</tr>\n");
    }
    dl_text_print(page, "</tbody></table></div>\n<ul>\n");
    dl_compared_start start;
    for (int i = 0; dl_compared_start_at(i, &start); i++) {
        dl_start_verdict v = dl_repairability_verdict(table, start.name);
        if (v.settings == 0) continue;
        dl_text_print(page, "<li><b>%s</b> (%s): %.1f%% over %d settings, %+.1f points against pp, below it in %d",
                      start.name, start.about, v.success * 100, v.settings, (v.success - v.pp_success) * 100, v.below);
        if (v.cost.count > 1)
            dl_text_print(page, "; its plans cost %.1f%% of the drafts' (%.1f to %.1f, %d cases)", v.cost.value * 100,
                          v.cost.low * 100, v.cost.high * 100, v.cost.count);
        dl_text_print(page, ".</li>\n");
    }
    dl_text_print(page, "</ul>\n");
}

static void add_pairs_table(dl_text *page, const dl_pairs *pairs)
{
    dl_text_print(page,
                  "<h2>Case by case</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>Setting</th><th>Method</th>"
                  "<th>Cases</th><th>Cost saved against %s, %%</th></tr></thead>\n<tbody>\n",
                  pairs->yardstick);
    for (int i = 0; i < pairs->count; i++) {
        const dl_pairs_row *row = &pairs->row[i];
        if (row->family)
            dl_text_print(page, "<tr><th>%s %d</th>", row->family, row->agents);
        else
            dl_text_print(page, "<tr class=\"first\"><th>all</th>");
        dl_text_print(page, "<th>%s</th><td>%d</td><td>%.2f", row->method, row->saved.count, row->saved.value * 100);
        if (isfinite(row->saved.low))
            dl_text_print(page, "<small>%.2f – %.2f</small>", row->saved.low * 100, row->saved.high * 100);
        dl_text_print(page, "</td></tr>\n");
    }
    dl_text_print(page, "</tbody></table></div>\n");
}

/* ---- at a glance: means over settings, and where the paper is ahead ---- */

static void add_glance(dl_text *page, const dl_report *report)
{
    const dl_summary *summary = report->summary;
    dl_text_print(page, "<ul class=\"glance\">\n");
    for (int i = 0; i < summary->count; i++) {
        const char *method = summary->row[i].method;
        bool seen = false;
        double success = 0, paper = 0;
        int settings = 0, compared = 0, below = 0;
        for (int k = 0; k < i; k++) seen |= strcmp(summary->row[k].method, method) == 0;
        for (int k = i; k < summary->count && !seen; k++) {
            const dl_summary_row *row = &summary->row[k];
            if (strcmp(row->method, method) != 0) continue;
            const dl_paper_row *theirs = paper_row(report, row);
            success += row->success.value;
            settings++;
            if (!theirs) continue;
            paper += theirs->success;
            compared++;
            below += row->success.value < theirs->success - 0.0005;
        }
        if (seen) continue;
        dl_text_print(page, "<li><b>%s</b> solves %.1f%% (mean over %d settings)", method, success / settings * 100,
                      settings);
        if (compared > 0)
            dl_text_print(page, "; the paper's %s %.1f%%. Ours is below the paper's in %d of %d settings",
                          dl_paper_method(method), paper / compared * 100, below, compared);
        dl_text_print(page, ".</li>\n");
    }
    dl_text_print(page, "</ul>\n");
}

static void add_circumstances(dl_text *page, const dl_report *report)
{
    dl_text facts = {0};
    dl_text_print(&facts, "<dt>Threads</dt><dd>%d a run</dd>\n<dt>Limits</dt><dd>", report->threads);
    if (report->pairs)
        dl_text_print(&facts, "%g seconds of one processor", report->experiment->seconds * report->time_scale);
    else if (report->experiment->timed)
        dl_text_print(&facts, "the paper's time limits times %g", report->time_scale);
    else
        dl_text_print(&facts, "iterations, no seconds");
    dl_text_print(
        &facts, "</dd>\n<dt>Instances</dt><dd>generated afresh; <code>seed</code> of a row of <code>results.csv</code> "
                "gives its instance: <code>difflns generate FAMILY -N AGENTS --seed SEED</code></dd>\n"
                "<dt>The paper's machines</dt><dd>Intel Xeon Gold 6348, 8 threads per run, NVIDIA L40S for the "
                "networks</dd>\n");
    need(!facts.cut);
    dl_report_add_circumstances(page, report->command, facts.data);
    dl_text_free(&facts);
}

dl_status dl_report_write(const dl_report *report, const char *folder, dl_error *err)
{
    dl_text page = {0};
    dl_report_begin(&page, report->experiment->name, report->experiment->title, report->experiment->about);
    add_circumstances(&page, report);
    if (!report->repairability && !report->pairs) add_glance(&page, report);
    dl_status status = add_charts(&page, report, folder, err);
    if (report->pairs) add_pairs_table(&page, report->pairs);
    if (report->repairability)
        add_starts_table(&page, report->repairability);
    else
        add_table(&page, report);
    return dl_report_finish(&page, status, folder, err);
}

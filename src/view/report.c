#include "view/report.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/memory.h"
#include "report_assets.h"
#include "view/report_figures.h"

/* ---- HTML ---- */

static void add_escaped(dl_text *page, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            dl_text_print(page, "&lt;");
            break;
        case '>':
            dl_text_print(page, "&gt;");
            break;
        case '&':
            dl_text_print(page, "&amp;");
            break;
        case '"':
            dl_text_print(page, "&quot;");
            break;
        default:
            dl_text_add(page, text, 1);
        }
    }
}

static void add_base64(dl_text *page, const dl_text *bytes)
{
    static const char DIGIT[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes->size; i += 3) {
        uint32_t triple = 0;
        for (size_t k = 0; k < 3; k++)
            triple = triple << 8 | (i + k < bytes->size ? (unsigned char)bytes->data[i + k] : 0);
        char digits[4];
        for (int k = 0; k < 4; k++) digits[k] = (size_t)k <= bytes->size - i ? DIGIT[triple >> (18 - 6 * k) & 63] : '=';
        dl_text_add(page, digits, sizeof digits);
    }
}

/* ---- charts ---- */

/* The chart as a picture inside the page; letters of an SVG by cairo have names that would clash if it stood in the
 * page itself. */
static dl_status add_picture(dl_text *page, const dl_report_figure *f, dl_error *err)
{
    dl_text light = {0}, dark = {0};
    int width, height;
    dl_status status = dl_chart_svg(&f->figure, DL_THEME_LIGHT, &light, &width, &height, err);
    if (status == DIFFLNS_OK) status = dl_chart_svg(&f->figure, DL_THEME_DARK, &dark, &width, &height, err);
    if (status == DIFFLNS_OK) {
        dl_text_print(page, "<figure><picture><source media=\"(prefers-color-scheme: dark)\" "
                            "srcset=\"data:image/svg+xml;base64,");
        add_base64(page, &dark);
        dl_text_print(page, "\"><img width=\"%d\" height=\"%d\" alt=\"", width, height);
        add_escaped(page, f->figure.title);
        dl_text_print(page, "\" src=\"data:image/svg+xml;base64,");
        add_base64(page, &light);
        dl_text_print(page, "\"></picture><figcaption>");
        add_escaped(page, f->caption);
        dl_text_print(page, " Files: <a href=\"%s.png\">PNG</a>, <a href=\"%s.pdf\">PDF</a>.</figcaption></figure>\n",
                      f->name, f->name);
    }
    dl_text_free(&light);
    dl_text_free(&dark);
    return status;
}

static dl_status write_chart(const dl_report_figure *f, const char *folder, dl_error *err)
{
    static const char *const ENDING[] = {"png", "pdf"};
    for (int i = 0; i < 2; i++) {
        dl_text path = {0};
        dl_text_print(&path, "%s/%s.%s", folder, f->name, ENDING[i]);
        dl_status status = dl_chart_write(&f->figure, path.data, err);
        dl_text_free(&path);
        DL_TRY(status);
    }
    return DIFFLNS_OK;
}

static dl_status add_charts(dl_text *page, const dl_report *report, const char *folder, dl_error *err)
{
    if (!dl_chart_available()) {
        dl_text_print(page, "<p>This build has no cairo and draws no charts.</p>\n");
        return DIFFLNS_OK;
    }
    dl_report_figures figures = dl_report_figures_of(report);
    dl_status status = DIFFLNS_OK;
    for (int i = 0; i < figures.count && status == DIFFLNS_OK; i++) {
        status = add_picture(page, &figures.figure[i], err);
        if (status == DIFFLNS_OK) status = write_chart(&figures.figure[i], folder, err);
    }
    dl_report_figures_free(&figures);
    return status;
}

/* ---- tables ---- */

static void add_number(dl_text *page, double number, int digits)
{
    if (isfinite(number))
        dl_text_print(page, "%.*f", digits, number);
    else
        dl_text_print(page, "–");
}

/* A cell with its interval in small print. */
static void add_cell(dl_text *page, const dl_estimate *e, double scale, int digits)
{
    dl_text_print(page, "<td>");
    add_number(page, e->value * scale, digits);
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
    add_number(page, number, digits);
    dl_text_print(page, "</td>");
}

static const dl_paper_row *paper_row(const dl_report *report, const dl_summary_row *row)
{
    return dl_paper_find(report->paper, report->experiment->name, row->family, row->agents,
                         dl_paper_method(row->method));
}

/* Where the paper's candidates are part of the question; elsewhere the table is wide enough. */
static bool with_candidates(const dl_report *report)
{
    return report->experiment->shape != DL_SHAPE_LINES;
}

static void add_row(dl_text *page, const dl_report *report, int index)
{
    const dl_summary_row *row = &report->summary->row[index], *before = index > 0 ? row - 1 : NULL;
    bool first = !before || before->agents != row->agents || strcmp(before->family, row->family) != 0;
    dl_text_print(page, first ? "<tr class=\"first\"><th>%s %d</th>" : "<tr><th></th>", row->family, row->agents);
    dl_text_print(page, "<th>%s</th><td>%d / %d</td>", row->method, row->solved, row->cases);
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
                  "Runtime: wall clock, mean over all cases, failures included. Small print: 95 %% intervals. "
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
        add_number(page, row->median, 0);
        dl_text_print(page, "</td>");
        add_cell(page, &row->ratio, 1, 3);
        add_cell(page, &row->conflicts, 1, 1);
        dl_text_print(page, "</tr>\n");
    }
    dl_text_print(page, "</tbody></table></div>\n<ul>\n");
    for (int i = 0; i < DL_STARTS; i++) {
        dl_start_verdict v = dl_repairability_verdict(table, DL_START[i].name);
        if (v.settings == 0) continue;
        dl_text_print(page,
                      "<li><b>%s</b> (%s): %.1f %% over %d settings, %+.1f points against pp, below it in %d.</li>\n",
                      DL_START[i].name, DL_START[i].about, v.success * 100, v.settings,
                      (v.success - v.pp_success) * 100, v.below);
    }
    dl_text_print(page, "</ul>\n");
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
        dl_text_print(page, "<li><b>%s</b> solves %.1f %% (mean over %d settings)", method, success / settings * 100,
                      settings);
        if (compared > 0)
            dl_text_print(page, "; the paper's %s %.1f %%. Ours is below the paper's in %d of %d settings",
                          dl_paper_method(method), paper / compared * 100, below, compared);
        dl_text_print(page, ".</li>\n");
    }
    dl_text_print(page, "</ul>\n");
}

/* ---- how it was made ---- */

static void processor_name(char name[128])
{
    char line[256];
    snprintf(name, 128, "unknown");
    FILE *stream = fopen("/proc/cpuinfo", "r");
    while (stream && fgets(line, sizeof line, stream)) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value) continue;
        value[strcspn(value, "\n")] = 0;
        snprintf(name, 128, "%.127s", value + 2);
        break;
    }
    if (stream) fclose(stream);
}

static void add_circumstances(dl_text *page, const dl_report *report)
{
    char processor[128], date[32];
    time_t now = time(NULL);
    struct tm utc;
    processor_name(processor);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &utc));
    dl_text_print(page, "<h2>How it was made</h2>\n<dl>\n<dt>Command</dt><dd><code>");
    add_escaped(page, report->command);
    dl_text_print(page, "</code></dd>\n<dt>Program</dt><dd>difflns %s, compiled with %s</dd>\n<dt>Processor</dt><dd>",
                  difflns_version(), __VERSION__);
    add_escaped(page, processor);
    dl_text_print(page, ", %d cores in reach; %d thread%s a run</dd>\n<dt>Limits</dt><dd>", omp_get_num_procs(),
                  report->threads, report->threads == 1 ? "" : "s");
    if (report->experiment->timed)
        dl_text_print(page, "the paper's time limits times %g", report->time_scale);
    else
        dl_text_print(page, "iterations, no seconds");
    dl_text_print(
        page,
        "</dd>\n<dt>Instances</dt><dd>generated afresh; <code>seed</code> of a row of <code>results.csv</code> "
        "gives its instance: <code>difflns generate FAMILY -N AGENTS --seed SEED</code></dd>\n"
        "<dt>The paper's machines</dt><dd>Intel Xeon Gold 6348, 8 threads a run, NVIDIA L40S for the "
        "networks</dd>\n<dt>Date</dt><dd>%s</dd>\n</dl>\n",
        date);
    dl_text_print(page, "<p>Data: <a href=\"results.csv\">results.csv</a> (one row a run), "
                        "<a href=\"summary.csv\">summary.csv</a>.</p>\n");
}

dl_status dl_report_write(const dl_report *report, const char *folder, dl_error *err)
{
    dl_text page = {0}, path = {0};
    dl_text_print(&page,
                  "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                  "content=\"width=device-width, initial-scale=1\">\n<title>%s · DiffLNS</title>\n<style>\n%s</style>\n"
                  "</head>\n<body>\n<main>\n<header><p class=\"kicker\">difflns bench %s</p>\n<h1>%s</h1>\n<p>",
                  report->experiment->title, asset_report_css, report->experiment->name, report->experiment->title);
    add_escaped(&page, report->experiment->about);
    dl_text_print(&page, "</p></header>\n");
    if (!report->repairability) add_glance(&page, report);
    dl_output out;
    dl_status status = add_charts(&page, report, folder, err);
    if (report->repairability) add_starts_table(&page, report->repairability);
    if (!report->repairability) add_table(&page, report);
    add_circumstances(&page, report);
    dl_text_print(&page, "</main>\n</body>\n</html>\n");
    dl_text_print(&path, "%s/report.html", folder);
    if (status == DIFFLNS_OK) status = dl_output_open(&out, path.data, err);
    if (status == DIFFLNS_OK) {
        fwrite(page.data, 1, page.size, out.stream);
        status = dl_output_commit(&out, err);
    }
    dl_text_free(&page);
    dl_text_free(&path);
    return status;
}

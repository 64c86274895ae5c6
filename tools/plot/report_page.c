#include "plot/report_page.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/output.h"
#include "base/parallel.h"
#include "memory/need.h"
#include "report_assets.h"

void dl_report_begin(dl_text *page, const char *experiment, const char *title, const char *about)
{
    dl_text_print(page,
                  "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                  "content=\"width=device-width, initial-scale=1\">\n<title>%s · DiffLNS</title>\n<style>\n%s</style>\n"
                  "</head>\n<body>\n<main>\n<header><p class=\"kicker\">difflns bench %s</p>\n<h1>%s</h1>\n<p>",
                  title, asset_report_css, experiment, title);
    dl_text_add_html(page, about);
    dl_text_print(page, "</p></header>\n");
}

void dl_report_add_number(dl_text *page, double number, int digits)
{
    if (isfinite(number))
        dl_text_print(page, "%.*f", digits, number);
    else
        dl_text_print(page, "–");
}

/* ---- charts ---- */

/* The chart as a picture inside the page; letters of an SVG by cairo have names that would clash if it stood in the
 * page itself. */
static dl_status add_source(dl_text *page, const dl_figure *figure, dl_theme theme, const char *media, dl_error *err)
{
    dl_text svg = {0};
    int width, height;
    DL_TRY(dl_chart_svg(figure, theme, &svg, &width, &height, err));
    dl_text_print(page, "<source media=\"%s\" srcset=\"data:image/svg+xml;base64,", media);
    dl_text_add_base64(page, svg.data, svg.size);
    dl_text_print(page, "\">");
    dl_text_free(&svg);
    return DIFFLNS_OK;
}

/* On a phone the panels stand one below the other. */
static dl_status add_picture(dl_text *page, const dl_report_figure *f, dl_error *err)
{
    dl_text light = {0};
    int width, height;
    dl_figure narrow = f->figure;
    narrow.columns = 1;
    dl_text_print(page, "<figure><picture>");
    DL_TRY(add_source(page, &narrow, DL_THEME_DARK, "(max-width: 640px) and (prefers-color-scheme: dark)", err));
    DL_TRY(add_source(page, &narrow, DL_THEME_LIGHT, "(max-width: 640px)", err));
    DL_TRY(add_source(page, &f->figure, DL_THEME_DARK, "(prefers-color-scheme: dark)", err));
    DL_TRY(dl_chart_svg(&f->figure, DL_THEME_LIGHT, &light, &width, &height, err));
    dl_text_print(page, "<img width=\"%d\" height=\"%d\" alt=\"", width, height);
    dl_text_add_html(page, f->figure.title);
    dl_text_print(page, "\" src=\"data:image/svg+xml;base64,");
    dl_text_add_base64(page, light.data, light.size);
    dl_text_print(page, "\"></picture><figcaption>");
    dl_text_add_html(page, f->caption);
    dl_text_print(page, " Files: <a href=\"%s.png\">PNG</a>, <a href=\"%s.pdf\">PDF</a>.</figcaption></figure>\n",
                  f->name, f->name);
    dl_text_free(&light);
    return DIFFLNS_OK;
}

static dl_status write_chart(const dl_report_figure *f, const char *folder, dl_error *err)
{
    static const char *const ENDING[] = {"png", "pdf"};
    for (int i = 0; i < 2; i++) {
        dl_text path = {0};
        dl_text_print(&path, "%s/%s.%s", folder, f->name, ENDING[i]);
        need(!path.cut);
        dl_status status = dl_chart_write(&f->figure, path.data, err);
        dl_text_free(&path);
        DL_TRY(status);
    }
    return DIFFLNS_OK;
}

dl_status dl_report_add_figure(dl_text *page, const dl_report_figure *figure, const char *folder, dl_error *err)
{
    if (!dl_chart_available()) {
        dl_text_print(page, "<p class=\"note\">%s: this build has no cairo and draws no charts.</p>\n",
                      figure->figure.title);
        return DIFFLNS_OK;
    }
    DL_TRY(add_picture(page, figure, err));
    return write_chart(figure, folder, err);
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

void dl_report_add_circumstances(dl_text *page, const char *command, const char *facts)
{
    char processor[128], date[32];
    time_t now = time(NULL);
    struct tm utc;
    processor_name(processor);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &utc));
    dl_text_print(page, "<dl class=\"conditions\">\n<dt>Command</dt><dd><code>");
    dl_text_add_html(page, command);
    dl_text_print(page, "</code></dd>\n<dt>Program</dt><dd>difflns %s, compiled with %s</dd>\n<dt>Processor</dt><dd>",
                  difflns_version(), __VERSION__);
    dl_text_add_html(page, processor);
    dl_text_print(page, ", %d cores available</dd>\n%s<dt>Date</dt><dd>%s</dd>\n</dl>\n", dl_cores(), facts, date);
    dl_text_print(page, "<p>Data: <a href=\"results.csv\">results.csv</a>, "
                        "<a href=\"summary.csv\">summary.csv</a>.</p>\n");
}

dl_status dl_report_finish(dl_text *page, dl_status status, const char *folder, dl_error *err)
{
    dl_output out;
    dl_text_print(page, "</main>\n</body>\n</html>\n");
    if (status == DIFFLNS_OK) status = dl_output_open_inside(&out, folder, "report.html", err);
    if (status == DIFFLNS_OK) {
        need(!page->cut);
        fwrite(page->data, 1, page->size, out.stream);
        status = dl_output_commit(&out, err);
    }
    dl_text_free(page);
    return status;
}

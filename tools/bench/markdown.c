#include "bench/markdown.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "memory/need.h"

static void add_number(FILE *stream, double number, int digits)
{
    if (isfinite(number))
        fprintf(stream, " %.*f |", digits, number);
    else
        fputs(" |", stream);
}

static int seconds_digits(double seconds)
{
    return seconds < 1 ? 3 : seconds < 100 ? 2 : 0;
}

dl_status dl_markdown_write(const dl_summary *summary, const dl_paper *paper, const char *experiment, const char *path,
                            dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    fputs("| setting | method | solved | SR % | SOC | SOC, solved by all | SOC / distances | seconds | candidates | "
          "paper: SR % | SOC | seconds |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          out.stream);
    for (int i = 0; i < summary->count; i++) {
        const dl_summary_row *row = &summary->row[i];
        const dl_paper_row *theirs =
            dl_paper_find(paper, experiment, row->family, row->agents, dl_paper_method(row->method));
        fprintf(out.stream, "| %s %d | %s | %d/%d |", row->family, row->agents, row->method, row->solved, row->cases);
        add_number(out.stream, row->success.value * 100, 0);
        add_number(out.stream, row->soc.value, 0);
        add_number(out.stream, row->common_soc.value, 0);
        add_number(out.stream, row->ratio.value, 2);
        add_number(out.stream, row->seconds.value, seconds_digits(row->seconds.value));
        add_number(out.stream, row->candidates.value, 1);
        add_number(out.stream, theirs ? theirs->success * 100 : NAN, 0);
        add_number(out.stream, theirs ? theirs->soc : NAN, 0);
        add_number(out.stream, theirs ? theirs->seconds : NAN, 1);
        fputc('\n', out.stream);
    }
    return dl_output_commit(&out, err);
}

/* The different starts, in the order of their first rows. */
static int list_starts(const dl_repairability *table, const char **names)
{
    int count = 0;
    for (int i = 0; i < table->count; i++) {
        bool there = false;
        for (int k = 0; k < count; k++) there |= strcmp(names[k], table->row[i].start) == 0;
        if (!there) names[count++] = table->row[i].start;
    }
    return count;
}

static double success_of(const dl_repairability *table, const dl_repairability_row *setting, const char *start)
{
    for (int i = 0; i < table->count; i++) {
        const dl_repairability_row *row = &table->row[i];
        if (row->agents == setting->agents && strcmp(row->family, setting->family) == 0 &&
            strcmp(row->start, start) == 0)
            return row->success.value;
    }
    return NAN;
}

dl_status dl_markdown_write_starts(const dl_repairability *table, const char *path, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    const char **starts = needed(DL_ARRAY(const char *, table->count + 1));
    int count = list_starts(table, starts);
    fputs("| setting | cases | budget |", out.stream);
    for (int s = 0; s < count; s++) fprintf(out.stream, " %s |", starts[s]);
    fputs("\n|---|--:|--:|", out.stream);
    for (int s = 0; s < count; s++) fputs("--:|", out.stream);
    for (int i = 0; i < table->count; i++) {
        const dl_repairability_row *row = &table->row[i];
        if (i > 0 && row[-1].agents == row->agents && strcmp(row[-1].family, row->family) == 0) continue;
        fprintf(out.stream, "\n| %s %d | %d | %.0f |", row->family, row->agents, row->success.count, row->budget);
        for (int s = 0; s < count; s++) add_number(out.stream, success_of(table, row, starts[s]) * 100, 0);
    }
    fputs("\n| all | | |", out.stream);
    for (int s = 0; s < count; s++) {
        dl_start_verdict v = dl_repairability_verdict(table, starts[s]);
        add_number(out.stream, v.settings > 0 ? v.success * 100 : NAN, 1);
    }
    fputs("\n| cost, % of the drafts' | | |", out.stream);
    for (int s = 0; s < count; s++)
        add_number(out.stream, dl_repairability_verdict(table, starts[s]).cost.value * 100, 1);
    fputc('\n', out.stream);
    free(starts);
    return dl_output_commit(&out, err);
}

#include "bench/pairs.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "bench/figures.h"
#include "memory/need.h"

/* Over the cases both methods solved, of one setting or (NULL) of all. */
static dl_estimate saved_by(const dl_records *records, const char *method, const char *yardstick, const char *family,
                            int agents)
{
    double *log_ratio = needed(DL_ARRAY(double, records->count));
    int count = 0;
    for (int i = 0; i < records->count; i++) {
        const dl_record *r = &records->row[i];
        if (strcmp(r->method, method) != 0 || r->outcome != DL_RUN_SOLVED) continue;
        if (family && (r->agents != agents || strcmp(r->family, family) != 0)) continue;
        const dl_record *beside = dl_records_find(records, r->family, r->agents, r->number, yardstick);
        if (beside && beside->outcome == DL_RUN_SOLVED && r->soc > 0 && beside->soc > 0)
            log_ratio[count++] = log((double)r->soc / (double)beside->soc);
    }
    dl_estimate mean = dl_mean(log_ratio, count);
    free(log_ratio);
    return (dl_estimate){1 - exp(mean.value), 1 - exp(mean.high), 1 - exp(mean.low), mean.count};
}

static void add(dl_pairs *pairs, dl_pairs_row row)
{
    need(DL_GROW(pairs->row, pairs->room, pairs->count + 1));
    pairs->row[pairs->count++] = row;
}

static bool is_seen(const dl_summary *summary, int index)
{
    for (int i = 0; i < index; i++)
        if (strcmp(summary->row[i].method, summary->row[index].method) == 0) return true;
    return false;
}

dl_pairs dl_pairs_of(const dl_records *records, const dl_summary *summary)
{
    dl_pairs pairs = {.yardstick = summary->count > 0 ? summary->row[0].method : ""};
    for (int i = 0; i < summary->count; i++) {
        const dl_summary_row *row = &summary->row[i];
        if (strcmp(row->method, pairs.yardstick) == 0) continue;
        add(&pairs, (dl_pairs_row){row->family, row->agents, row->method,
                                   saved_by(records, row->method, pairs.yardstick, row->family, row->agents)});
    }
    for (int i = 0; i < summary->count; i++) {
        const char *method = summary->row[i].method;
        if (is_seen(summary, i) || strcmp(method, pairs.yardstick) == 0) continue;
        add(&pairs, (dl_pairs_row){NULL, 0, method, saved_by(records, method, pairs.yardstick, NULL, 0)});
    }
    return pairs;
}

void dl_pairs_free(dl_pairs *pairs)
{
    free(pairs->row);
    *pairs = (dl_pairs){0};
}

dl_status dl_pairs_write(const dl_pairs *pairs, const char *path, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    fputs("family,agents,method,yardstick,cases,saved_pct,saved_low,saved_high\n", out.stream);
    for (int i = 0; i < pairs->count; i++) {
        const dl_pairs_row *row = &pairs->row[i];
        if (row->family)
            fprintf(out.stream, "%s,%d", row->family, row->agents);
        else
            fputs("all,", out.stream);
        fprintf(out.stream, ",%s,%s,%d", row->method, pairs->yardstick, row->saved.count);
        dl_figure_write(out.stream, row->saved.value * 100, 2);
        dl_figure_write(out.stream, row->saved.low * 100, 2);
        dl_figure_write(out.stream, row->saved.high * 100, 2);
        fputc('\n', out.stream);
    }
    return dl_output_commit(&out, err);
}

void dl_pairs_print(const dl_pairs *pairs, FILE *stream)
{
    fprintf(stream, "%-22s %-18s %5s %9s %20s\n", "setting", "method", "cases", "saved %", "95 % interval");
    for (int i = 0; i < pairs->count; i++) {
        const dl_pairs_row *row = &pairs->row[i];
        char setting[DL_RECORD_NAME + 16] = "all";
        if (row->family) snprintf(setting, sizeof setting, "%s %d", row->family, row->agents);
        fprintf(stream, "%-22s %-18s %5d", setting, row->method, row->saved.count);
        dl_figure_print(stream, 9, row->saved.value * 100, 2);
        dl_figure_print(stream, 11, row->saved.low * 100, 2);
        dl_figure_print(stream, 8, row->saved.high * 100, 2);
        fputc('\n', stream);
    }
    fprintf(stream, "cost saved against %s, case by case\n", pairs->yardstick);
}

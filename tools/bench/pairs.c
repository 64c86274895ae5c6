#include "bench/pairs.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "bench/figures.h"
#include "memory/need.h"

/* One case more: who has the cheaper plan, or one at all. */
static void compare(dl_pairs_row *row, const dl_record *own, const dl_record *other, double *log_ratio, int *count)
{
    bool has = own->outcome == DL_RUN_SOLVED && own->soc > 0,
         beside = other->outcome == DL_RUN_SOLVED && other->soc > 0;
    if (has && beside) log_ratio[(*count)++] = log((double)own->soc / (double)other->soc);
    row->wins += has && (!beside || own->soc < other->soc);
    row->losses += beside && (!has || own->soc > other->soc);
    row->ties += has == beside && (!has || own->soc == other->soc);
}

/* Over the cases of one setting or (family NULL) of all. */
static dl_pairs_row compare_all(const dl_records *records, const char *yardstick, dl_pairs_row row)
{
    double *log_ratio = needed(DL_ARRAY(double, records->count));
    int count = 0;
    for (int i = 0; i < records->count; i++) {
        const dl_record *r = &records->row[i];
        if (strcmp(r->method, row.method) != 0) continue;
        if (row.family && (r->agents != row.agents || strcmp(r->family, row.family) != 0)) continue;
        const dl_record *beside = dl_records_find(records, r->family, r->agents, r->number, yardstick);
        if (beside) compare(&row, r, beside, log_ratio, &count);
    }
    row.ratio = dl_geometric_mean(log_ratio, count);
    free(log_ratio);
    return row;
}

static void add(dl_pairs *pairs, const dl_records *records, dl_pairs_row row)
{
    need(DL_GROW(pairs->row, pairs->room, pairs->count + 1));
    pairs->row[pairs->count++] = compare_all(records, pairs->yardstick, row);
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
        if (strcmp(row->method, pairs.yardstick) != 0)
            add(&pairs, records, (dl_pairs_row){.family = row->family, .agents = row->agents, .method = row->method});
    }
    for (int i = 0; i < summary->count; i++) {
        const char *method = summary->row[i].method;
        if (!is_seen(summary, i) && strcmp(method, pairs.yardstick) != 0)
            add(&pairs, records, (dl_pairs_row){.method = method});
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
    fputs("family,agents,method,yardstick,cases,ratio,ratio_low,ratio_high,wins,ties,losses\n", out.stream);
    for (int i = 0; i < pairs->count; i++) {
        const dl_pairs_row *row = &pairs->row[i];
        if (row->family)
            fprintf(out.stream, "%s,%d", row->family, row->agents);
        else
            fputs("all,", out.stream);
        fprintf(out.stream, ",%s,%s,%d", row->method, pairs->yardstick, row->ratio.count);
        dl_figure_write(out.stream, row->ratio.value, 4);
        dl_figure_write(out.stream, row->ratio.low, 4);
        dl_figure_write(out.stream, row->ratio.high, 4);
        fprintf(out.stream, ",%d,%d,%d\n", row->wins, row->ties, row->losses);
    }
    return dl_output_commit(&out, err);
}

void dl_pairs_print(const dl_pairs *pairs, FILE *stream)
{
    for (int i = 0; i < pairs->count; i++) {
        const dl_pairs_row *row = &pairs->row[i];
        if (row->family) continue;
        fprintf(stream, "%s against %s: %d won, %d tied, %d lost; cost ratio", row->method, pairs->yardstick, row->wins,
                row->ties, row->losses);
        dl_figure_print(stream, 0, row->ratio.value, 3);
        if (isfinite(row->ratio.low)) fprintf(stream, " (%.3f to %.3f)", row->ratio.low, row->ratio.high);
        fprintf(stream, " over %d cases\n", row->ratio.count);
    }
}

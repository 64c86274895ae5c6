#include "bench/summary.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "bench/figures.h"
#include "generate/settings.h"
#include "memory/need.h"

/* ---- gathering ---- */

static bool belongs(const dl_record *r, const dl_summary_row *row)
{
    return r->agents == row->agents && strcmp(r->family, row->family) == 0 && strcmp(r->method, row->method) == 0;
}

static bool same_case(const dl_record *a, const dl_record *b)
{
    return a->number == b->number && a->agents == b->agents && strcmp(a->family, b->family) == 0;
}

/* Did every method that ran on this setting solve this case? */
static bool all_solved(const dl_records *records, const dl_summary *summary, const dl_record *r)
{
    int methods = 0, solved = 0;
    for (int i = 0; i < summary->count; i++)
        methods += summary->row[i].agents == r->agents && strcmp(summary->row[i].family, r->family) == 0;
    for (int i = 0; i < records->count; i++)
        solved += same_case(&records->row[i], r) && records->row[i].outcome == DL_RUN_SOLVED;
    return solved == methods;
}

/* Numbers gathered over the runs of a row. */
typedef struct column {
    double *value;
    int count;
} column;

static void put(column *c, double value)
{
    c->value[c->count++] = value;
}

static dl_estimate mean_of(column *c)
{
    dl_estimate e = dl_mean(c->value, c->count);
    free(c->value);
    return e;
}

static void fill(const dl_records *records, const dl_summary *summary, dl_summary_row *row)
{
    column soc, ratio, common, seconds, solved_seconds, candidates, iterations, conflicts;
    column *columns[] = {&soc, &ratio, &common, &seconds, &solved_seconds, &candidates, &iterations, &conflicts};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        *columns[i] = (column){needed(DL_ARRAY(double, records->count)), 0};
    for (int i = 0; i < records->count; i++) {
        const dl_record *r = &records->row[i];
        if (!belongs(r, row)) continue;
        row->cases++;
        row->unsolvable += r->outcome == DL_RUN_UNSOLVABLE;
        put(&seconds, r->seconds);
        if (r->candidates > 0) put(&candidates, r->candidates);
        put(&iterations, (double)r->iterations);
        if (r->start_conflicts >= 0) put(&conflicts, (double)r->start_conflicts);
        if (r->outcome != DL_RUN_SOLVED) continue;
        row->solved++;
        put(&soc, (double)r->soc);
        put(&solved_seconds, r->seconds);
        if (r->sum_of_distances > 0) put(&ratio, (double)r->soc / (double)r->sum_of_distances);
        if (all_solved(records, summary, r)) put(&common, (double)r->soc);
    }
    row->success = dl_share(row->solved, row->cases);
    row->soc = mean_of(&soc);
    row->ratio = mean_of(&ratio);
    row->common_soc = mean_of(&common);
    row->seconds = mean_of(&seconds);
    row->solved_seconds = mean_of(&solved_seconds);
    row->candidates = mean_of(&candidates);
    row->iterations = mean_of(&iterations);
    row->start_conflicts = mean_of(&conflicts);
}

static int family_place(const char *family)
{
    int place = 0;
    while (place < DL_SETTINGS && strcmp(DL_SETTING[place].family, family) != 0) place++;
    return place;
}

/* Does `a` come after `b`? Methods of one setting stay in the order of their first runs. */
static bool comes_after(const dl_summary_row *a, const dl_summary_row *b)
{
    int difference = family_place(a->family) - family_place(b->family);
    if (difference == 0) difference = strcmp(a->family, b->family);
    return difference > 0 || (difference == 0 && a->agents > b->agents);
}

/* Insertion sort: stable, and rows are few. */
static void insert(dl_summary *summary, dl_summary_row row)
{
    need(DL_GROW(summary->row, summary->room, summary->count + 1));
    int place = summary->count++;
    for (; place > 0 && comes_after(&summary->row[place - 1], &row); place--)
        summary->row[place] = summary->row[place - 1];
    summary->row[place] = row;
}

dl_summary dl_summarize(const dl_records *records)
{
    dl_summary summary = {0};
    for (int i = 0; i < records->count; i++) {
        const dl_record *r = &records->row[i];
        if (dl_summary_find(&summary, r->family, r->agents, r->method)) continue;
        insert(&summary, (dl_summary_row){.family = r->family, .method = r->method, .agents = r->agents});
    }
    for (int i = 0; i < summary.count; i++) fill(records, &summary, &summary.row[i]);
    return summary;
}

void dl_summary_free(dl_summary *summary)
{
    free(summary->row);
    *summary = (dl_summary){0};
}

const dl_summary_row *dl_summary_find(const dl_summary *summary, const char *family, int agents, const char *method)
{
    for (int i = 0; i < summary->count; i++) {
        const dl_summary_row *row = &summary->row[i];
        if (row->agents == agents && strcmp(row->family, family) == 0 && strcmp(row->method, method) == 0) return row;
    }
    return NULL;
}

/* ---- summary.csv ---- */

static void write_estimate(FILE *stream, const dl_estimate *e, double scale, int digits)
{
    dl_figure_write(stream, e->value * scale, digits);
    dl_figure_write(stream, e->low * scale, digits);
    dl_figure_write(stream, e->high * scale, digits);
}

static void write_row(FILE *stream, const dl_summary_row *row, const dl_paper_row *theirs)
{
    fprintf(stream, "%s,%d,%s,%d,%d,%d", row->family, row->agents, row->method, row->cases, row->solved,
            row->unsolvable);
    write_estimate(stream, &row->success, 100, 1);
    write_estimate(stream, &row->soc, 1, 1);
    write_estimate(stream, &row->ratio, 1, 4);
    fprintf(stream, ",%d", row->common_soc.count);
    write_estimate(stream, &row->common_soc, 1, 1);
    write_estimate(stream, &row->seconds, 1, 4);
    write_estimate(stream, &row->solved_seconds, 1, 4);
    write_estimate(stream, &row->candidates, 1, 2);
    write_estimate(stream, &row->iterations, 1, 1);
    dl_figure_write(stream, row->start_conflicts.value, 1);
    if (theirs) {
        fprintf(stream, ",%s", theirs->method);
        dl_figure_write(stream, theirs->success * 100, 1);
        dl_figure_write(stream, theirs->soc, 1);
        dl_figure_write(stream, theirs->seconds, 1);
        dl_figure_write(stream, theirs->candidates, 2);
    } else {
        fputs(",,,,,", stream);
    }
    fputc('\n', stream);
}

dl_status dl_summary_write(const dl_summary *summary, const dl_paper *paper, const char *experiment, const char *path,
                           dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    fputs("family,agents,method,cases,solved,unsolvable,success_pct,success_low,success_high,soc,soc_low,soc_high,"
          "soc_over_distances,soc_over_distances_low,soc_over_distances_high,common_cases,common_soc,common_soc_low,"
          "common_soc_high,runtime_s,runtime_low,runtime_high,solved_runtime_s,solved_runtime_low,solved_runtime_high,"
          "candidates,candidates_low,candidates_high,iterations,iterations_low,iterations_high,start_conflicts,"
          "paper_method,paper_success_pct,paper_soc,paper_runtime_s,paper_candidates\n",
          out.stream);
    for (int i = 0; i < summary->count; i++) {
        const dl_summary_row *row = &summary->row[i];
        write_row(out.stream, row,
                  dl_paper_find(paper, experiment, row->family, row->agents, dl_paper_method(row->method)));
    }
    return dl_output_commit(&out, err);
}

/* ---- for people ---- */

void dl_summary_print(const dl_summary *summary, const dl_paper *paper, const char *experiment, FILE *stream)
{
    fprintf(stream, "%-22s %-14s %9s %6s %9s %9s %9s %7s  %s\n", "setting", "method", "solved", "SR %", "SOC",
            "all solved", "seconds", "starts", "paper: SR %, SOC, seconds");
    for (int i = 0; i < summary->count; i++) {
        const dl_summary_row *row = &summary->row[i];
        const dl_paper_row *theirs =
            dl_paper_find(paper, experiment, row->family, row->agents, dl_paper_method(row->method));
        char setting[DL_RECORD_NAME + 16];
        snprintf(setting, sizeof setting, "%s %d", row->family, row->agents);
        fprintf(stream, "%-22s %-14s %4d/%-4d", setting, row->method, row->solved, row->cases);
        dl_figure_print(stream, 6, row->success.value * 100, 1);
        dl_figure_print(stream, 9, row->soc.value, 1);
        dl_figure_print(stream, 10, row->common_soc.value, 1);
        dl_figure_print(stream, 9, row->seconds.value, 3);
        dl_figure_print(stream, 7, row->candidates.value, 1);
        if (theirs) {
            fputc(' ', stream);
            dl_figure_print(stream, 6, theirs->success * 100, 0);
            dl_figure_print(stream, 9, theirs->soc, 1);
            dl_figure_print(stream, 7, theirs->seconds, 1);
        }
        fputc('\n', stream);
    }
}

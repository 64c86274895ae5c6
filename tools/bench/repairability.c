#include "bench/repairability.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "bench/figures.h"
#include "memory/need.h"

static const char YARDSTICK[] = "pp", DRAFTS[] = "diffusion";

/* Iterations until repaired, infinite if it was not, of the runs of one start on one setting. */
static double *iterations_of(const dl_records *records, const char *family, int agents, const char *start, int *count)
{
    double *list = needed(DL_ARRAY(double, records->count));
    *count = 0;
    for (int i = 0; i < records->count; i++) {
        const dl_record *r = &records->row[i];
        if (r->agents != agents || strcmp(r->family, family) != 0 || strcmp(r->method, start) != 0) continue;
        list[(*count)++] = r->outcome == DL_RUN_SOLVED ? (double)r->iterations : INFINITY;
    }
    return list;
}

/* The least budget within which half of the prioritized starts succeed; where more than half of them fail (or none was
 * run), all that was given. */
static double budget_of(const dl_records *records, const char *family, int agents)
{
    int count;
    double *list = iterations_of(records, family, agents, YARDSTICK, &count);
    double budget = count > 0 ? dl_ranked(list, count, (count + 1) / 2 - 1) : NAN;
    free(list);
    if (isfinite(budget)) return budget;
    budget = 0;
    for (int i = 0; i < records->count; i++) {
        const dl_record *r = &records->row[i];
        if (r->agents == agents && strcmp(r->family, family) == 0) budget = fmax(budget, (double)r->iterations);
    }
    return budget;
}

static void fill(const dl_records *records, const dl_summary_row *from, dl_repairability_row *row)
{
    int count, hits = 0;
    *row = (dl_repairability_row){.family = from->family,
                                  .start = from->method,
                                  .agents = from->agents,
                                  .ratio = from->ratio,
                                  .conflicts = from->start_conflicts};
    row->budget = budget_of(records, row->family, row->agents);
    double *list = iterations_of(records, row->family, row->agents, row->start, &count);
    for (int i = 0; i < count; i++) hits += list[i] <= row->budget;
    row->success = dl_share(hits, count);
    row->median = dl_quantile(list, count, 0.5);
    free(list);
}

dl_repairability dl_repairability_of(const dl_records *records, const dl_summary *summary)
{
    dl_repairability r = {needed(DL_ARRAY(dl_repairability_row, summary->count)), summary->count, records};
    for (int i = 0; i < r.count; i++) fill(records, &summary->row[i], &r.row[i]);
    return r;
}

void dl_repairability_free(dl_repairability *r)
{
    free(r->row);
    *r = (dl_repairability){0};
}

static const dl_repairability_row *find(const dl_repairability *r, const char *family, int agents, const char *start)
{
    for (int i = 0; i < r->count; i++)
        if (r->row[i].agents == agents && strcmp(r->row[i].family, family) == 0 && strcmp(r->row[i].start, start) == 0)
            return &r->row[i];
    return NULL;
}

/* Case by case, because hard cases cost more and not every start repairs them. */
static dl_estimate cost_beside_drafts(const dl_records *records, const char *start)
{
    double *log_ratio = needed(DL_ARRAY(double, records->count));
    int count = 0;
    for (int i = 0; i < records->count; i++) {
        const dl_record *r = &records->row[i];
        if (strcmp(r->method, start) != 0 || r->outcome != DL_RUN_SOLVED) continue;
        const dl_record *draft = dl_records_find(records, r->family, r->agents, r->number, DRAFTS);
        if (draft && draft->outcome == DL_RUN_SOLVED && r->soc > 0 && draft->soc > 0)
            log_ratio[count++] = log((double)r->soc / (double)draft->soc);
    }
    dl_estimate mean = dl_mean(log_ratio, count);
    free(log_ratio);
    return (dl_estimate){exp(mean.value), exp(mean.low), exp(mean.high), count};
}

dl_start_verdict dl_repairability_verdict(const dl_repairability *r, const char *start)
{
    dl_start_verdict v = {0};
    for (int i = 0; i < r->count; i++) {
        const dl_repairability_row *row = &r->row[i];
        const dl_repairability_row *pp = find(r, row->family, row->agents, YARDSTICK);
        if (strcmp(row->start, start) != 0 || !pp) continue;
        v.settings++;
        v.below += row->success.value < pp->success.value;
        v.success += row->success.value;
        v.pp_success += pp->success.value;
    }
    v.success /= v.settings;
    v.pp_success /= v.settings;
    v.cost = cost_beside_drafts(r->records, start);
    return v;
}

/* Is this the first row of its start? */
static bool first_of_start(const dl_repairability *r, int index)
{
    for (int i = 0; i < index; i++)
        if (strcmp(r->row[i].start, r->row[index].start) == 0) return false;
    return true;
}

dl_status dl_repairability_write(const dl_repairability *r, const char *path, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    fputs("family,agents,start,cases,budget,success_pct,success_low,success_high,median_iterations,soc_over_distances,"
          "start_conflicts\n",
          out.stream);
    for (int i = 0; i < r->count; i++) {
        const dl_repairability_row *row = &r->row[i];
        fprintf(out.stream, "%s,%d,%s,%d,%.0f", row->family, row->agents, row->start, row->success.count, row->budget);
        dl_figure_write(out.stream, row->success.value * 100, 1);
        dl_figure_write(out.stream, row->success.low * 100, 1);
        dl_figure_write(out.stream, row->success.high * 100, 1);
        dl_figure_write(out.stream, row->median, 0);
        dl_figure_write(out.stream, row->ratio.value, 4);
        dl_figure_write(out.stream, row->conflicts.value, 1);
        fputc('\n', out.stream);
    }
    for (int i = 0; i < r->count; i++) {
        dl_start_verdict v = dl_repairability_verdict(r, r->row[i].start);
        if (!first_of_start(r, i) || v.settings == 0) continue;
        fprintf(out.stream, "all,,%s,,,%.1f,,,,,\n", r->row[i].start, v.success * 100);
    }
    return dl_output_commit(&out, err);
}

void dl_repairability_print(const dl_repairability *r, FILE *stream)
{
    fprintf(stream, "%-22s %-14s %9s %10s %12s %9s %9s\n", "setting", "start", "budget", "repaired", "median iter.",
            "SOC/dist.", "conflicts");
    for (int i = 0; i < r->count; i++) {
        const dl_repairability_row *row = &r->row[i];
        char setting[DL_RECORD_NAME + 16];
        snprintf(setting, sizeof setting, "%s %d", row->family, row->agents);
        fprintf(stream, "%-22s %-14s %9.0f %9.1f%%", setting, row->start, row->budget, row->success.value * 100);
        dl_figure_print(stream, 12, row->median, 0);
        dl_figure_print(stream, 9, row->ratio.value, 3);
        dl_figure_print(stream, 9, row->conflicts.value, 1);
        fputc('\n', stream);
    }
    for (int i = 0; i < r->count; i++) {
        dl_start_verdict v = dl_repairability_verdict(r, r->row[i].start);
        if (!first_of_start(r, i) || v.settings == 0) continue;
        fprintf(stream, "%-22s %-14s %9s %9.1f%%  (pp %.1f%%; below it in %d of %d settings)", "all", r->row[i].start,
                "", v.success * 100, v.pp_success * 100, v.below, v.settings);
        if (strcmp(r->row[i].start, DRAFTS) != 0 && isfinite(v.cost.low))
            fprintf(stream, ", costs %.1f%% of the drafts' (%.1f to %.1f, %d cases)", v.cost.value * 100,
                    v.cost.low * 100, v.cost.high * 100, v.cost.count);
        fputc('\n', stream);
    }
}

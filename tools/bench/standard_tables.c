/* What the standard benchmark came to: the table of all runs, and ours beside what others published. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/memory.h"
#include "base/output.h"
#include "bench/figures.h"
#include "bench/standard.h"
#include "bench_assets.h"
#include "memory/need.h"

/* "empty-32-32-random" -> "empty-32-32" and "random". */
static void split_family(const char *family, char map[DL_RECORD_NAME], const char **kind)
{
    const char *dash = strrchr(family, '-');
    size_t length = dash ? (size_t)(dash - family) : strlen(family);
    snprintf(map, DL_RECORD_NAME, "%.*s", (int)length, family);
    *kind = dash ? dash + 1 : "";
}

static void write_known(FILE *stream, int64_t number)
{
    fputc(',', stream);
    if (number >= 0) fprintf(stream, "%" PRId64, number);
}

static int64_t bound_of(const dl_record *r)
{
    return r->lower_bound > r->sum_of_distances ? r->lower_bound : r->sum_of_distances;
}

static void write_run(FILE *stream, const dl_record *r, const char *commit)
{
    char map[DL_RECORD_NAME];
    const char *kind;
    split_family(r->family, map, &kind);
    fprintf(stream, "%s,%s-%d,%d,%s,%" PRIu64 ",%s", map, kind, r->number, r->agents, r->method, r->seed,
            dl_outcome_name(r->outcome));
    write_known(stream, r->soc);
    write_known(stream, r->sum_of_distances);
    write_known(stream, bound_of(r));
    dl_figure_write(stream, r->soc >= 0 && bound_of(r) > 0 ? (double)r->soc / (double)bound_of(r) - 1 : NAN, 5);
    write_known(stream, r->makespan);
    dl_figure_write(stream, r->first_seconds >= 0 ? r->first_seconds : NAN, 3);
    write_known(stream, r->first_soc);
    fprintf(stream, ",%.3f,%.3f,%g,%d,%s\n", r->seconds, r->cpu_seconds, r->limit, r->threads, commit);
}

dl_status dl_standard_write(const dl_records *records, const char *commit, const char *folder, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, "standard.csv", err));
    fputs(
        "map,scenario,agents,method,seed,status,soc,sum_of_distances,lower_bound,gap,makespan,first_seconds,first_soc,"
        "seconds,cpu_seconds,limit_s,threads,commit\n",
        out.stream);
    for (int i = 0; i < records->count; i++) write_run(out.stream, &records->row[i], commit);
    return dl_output_commit(&out, err);
}

/* ---- beside others ---- */

/* The mean sum of delays of a method on a setting; NaN unless it solved every case. */
static double mean_delays(const dl_records *records, const dl_summary_row *row)
{
    double sum = 0;
    for (int i = 0; i < records->count; i++) {
        const dl_record *r = &records->row[i];
        if (r->agents == row->agents && strcmp(r->family, row->family) == 0 && strcmp(r->method, row->method) == 0)
            sum += r->outcome == DL_RUN_SOLVED ? (double)(r->soc - r->sum_of_distances) : NAN;
    }
    return sum / row->cases;
}

/* The published figures of a setting, "map,agents,300 s,60 s"; NaN = not stated. */
static bool published(const dl_summary_row *row, double *after_300, double *after_60)
{
    char map[DL_RECORD_NAME], start[DL_RECORD_NAME + 16];
    const char *kind;
    split_family(row->family, map, &kind);
    int length = snprintf(start, sizeof start, "%s,%d,", map, row->agents);
    dl_lines lines = dl_lines_begin(asset_lns_benchmark_csv, sizeof asset_lns_benchmark_csv - 1);
    while (dl_lines_next_full(&lines)) {
        if (lines.length <= (size_t)length || strncmp(lines.text, start, (size_t)length) != 0) continue;
        char rest[64], *end;
        snprintf(rest, sizeof rest, "%.*s", (int)(lines.length - (size_t)length), lines.text + length);
        *after_300 = strtod(rest, &end);
        *after_60 = *end == ',' && end[1] ? strtod(end + 1, NULL) : NAN;
        return strcmp(kind, "random") == 0;
    }
    return false;
}

static void print_row(FILE *table, const dl_summary_row *row, double ours, double after_60, double after_300)
{
    char setting[DL_RECORD_NAME + 16];
    snprintf(setting, sizeof setting, "%s %d", row->family, row->agents);
    fprintf(table, "%-34s %-12s %5d", setting, row->method, row->cases);
    const double number[] = {ours, after_60, after_300, ours / after_60, ours / after_300};
    for (int i = 0; i < 5; i++) dl_figure_print(table, 9, number[i], i < 3 ? 1 : 3);
    fputc('\n', table);
}

static dl_status compare_published(const dl_records *records, const dl_summary *summary, const char *folder,
                                   FILE *table, dl_error *err)
{
    dl_output out;
    bool is_first = true;
    DL_TRY(dl_output_open_inside(&out, folder, "published.csv", err));
    fputs("family,agents,method,cases,delays,published_60s,published_300s,over_60s,over_300s\n", out.stream);
    for (int i = 0; i < summary->count; i++) {
        const dl_summary_row *row = &summary->row[i];
        double after_300, after_60, ours = mean_delays(records, row);
        if (!published(row, &after_300, &after_60)) continue;
        fprintf(out.stream, "%s,%d,%s,%d", row->family, row->agents, row->method, row->cases);
        const double number[] = {ours, after_60, after_300, ours / after_60, ours / after_300};
        for (int k = 0; k < 5; k++) dl_figure_write(out.stream, number[k], k < 3 ? 1 : 3);
        fputc('\n', out.stream);
        if (is_first)
            fprintf(table, "%-34s %-12s %5s %9s %9s %9s %9s %9s\n", "mean sum of delays", "method", "cases", "ours",
                    "best 60s", "best 300s", "over 60s", "over 300s");
        is_first = false;
        print_row(table, row, ours, after_60, after_300);
    }
    return dl_output_commit(&out, err);
}

/* The cheapest plan of ours for a scenario of the tracker; NULL if there is none. */
static const dl_record *best_for(const dl_records *records, const char *map, const char *scenario, int agents)
{
    const dl_record *best = NULL;
    for (int i = 0; i < records->count; i++) {
        const dl_record *r = &records->row[i];
        char name[2 * DL_RECORD_NAME], wanted[2 * DL_RECORD_NAME];
        snprintf(name, sizeof name, "%s-%d", r->family, r->number);
        snprintf(wanted, sizeof wanted, "%s-%s", map, scenario);
        if (r->outcome != DL_RUN_SOLVED || r->agents != agents || strcmp(name, wanted) != 0) continue;
        if (!best || r->soc < best->soc) best = r;
    }
    return best;
}

static dl_status compare_known(const dl_records *records, const char *folder, FILE *table, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, "known.csv", err));
    fputs("map,scenario,agents,known_soc,ours,method\n", out.stream);
    dl_lines lines = dl_lines_begin(asset_tracker_records_csv, sizeof asset_tracker_records_csv - 1);
    dl_lines_next(&lines); /* the header */
    while (dl_lines_next_full(&lines)) {
        char line[160], map[DL_RECORD_NAME], scenario[DL_RECORD_NAME];
        int agents;
        long long soc;
        snprintf(line, sizeof line, "%.*s", (int)lines.length, lines.text);
        if (sscanf(line, "%47[^,],%47[^,],%d,%lld", map, scenario, &agents, &soc) != 4) continue;
        const dl_record *best = best_for(records, map, scenario, agents);
        if (!best) continue;
        fprintf(out.stream, "%s,%s,%d,%lld,%" PRId64 ",%s\n", map, scenario, agents, soc, best->soc, best->method);
        fprintf(table, "known record of %s-%s with %d agents: %lld; ours %" PRId64 " (%s)\n", map, scenario, agents,
                soc, best->soc, best->method);
    }
    return dl_output_commit(&out, err);
}

dl_status dl_standard_compare(const dl_records *records, const dl_summary *summary, const char *folder, FILE *table,
                              dl_error *err)
{
    DL_TRY(compare_published(records, summary, folder, table, err));
    return compare_known(records, folder, table, err);
}

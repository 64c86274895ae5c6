#include "bench/records.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/memory.h"
#include "memory/need.h"

static const char HEADER[] = "family,agents,case,seed,method,limit_s,status,soc,makespan,sum_of_distances,seconds,"
                             "candidates,iterations,start_conflicts,threads,init,lower_bound,first_soc,first_seconds,"
                             "cpu_seconds";
enum { COLUMNS = 20, FIELD = 64 };

static const char *const OUTCOME[DL_RUN_OUTCOMES] = {"solved", "unsolved", "unsolvable", "invalid"};

const char *dl_outcome_name(dl_outcome outcome)
{
    return OUTCOME[outcome];
}

void dl_records_add(dl_records *records, const dl_record *record)
{
    need(DL_GROW(records->row, records->room, records->count + 1));
    records->row[records->count++] = *record;
}

void dl_records_free(dl_records *records)
{
    free(records->row);
    *records = (dl_records){0};
}

const dl_record *dl_records_find(const dl_records *records, const char *family, int agents, int number,
                                 const char *method)
{
    for (int i = 0; i < records->count; i++) {
        const dl_record *r = &records->row[i];
        if (r->agents == agents && r->number == number && strcmp(r->method, method) == 0 &&
            strcmp(r->family, family) == 0)
            return r;
    }
    return NULL;
}

/* ---- one line ---- */

/* Unknown numbers are empty fields. */
static void print_known(dl_text *line, int64_t number)
{
    if (number >= 0) dl_text_print(line, "%" PRId64, number);
    dl_text_add(line, ",", 1);
}

void dl_record_print(const dl_record *r, dl_text *line)
{
    dl_text_print(line, "%s,%d,%d,%" PRIu64 ",%s,%.6g,%s,", r->family, r->agents, r->number, r->seed, r->method,
                  r->limit, OUTCOME[r->outcome]);
    print_known(line, r->soc);
    print_known(line, r->makespan);
    print_known(line, r->sum_of_distances);
    dl_text_print(line, "%.6f,%d,%" PRIu64 ",", r->seconds, r->candidates, r->iterations);
    print_known(line, r->start_conflicts);
    dl_text_print(line, "%d,%s,", r->threads, r->init);
    print_known(line, r->lower_bound);
    print_known(line, r->first_soc);
    if (r->first_seconds >= 0) dl_text_print(line, "%.6f", r->first_seconds);
    dl_text_add(line, ",", 1);
    if (r->cpu_seconds >= 0) dl_text_print(line, "%.6f", r->cpu_seconds);
    dl_text_add(line, "\n", 1);
}

/* Cuts the line into its fields; false if they are not as many as there are columns, or too long. */
static bool split(const char *line, size_t length, char field[COLUMNS][FIELD])
{
    const char *end = line + length;
    dl_text text = {0};
    dl_csv_end stop = DL_CSV_FIELD;
    int columns = 0;
    for (; stop == DL_CSV_FIELD && columns < COLUMNS; columns++) {
        stop = dl_csv_next(&line, end, &text);
        need(stop != DL_CSV_NO_MEMORY);
        if (text.size >= FIELD) break;
        need(!text.cut);
        memcpy(field[columns], text.data, text.size + 1);
    }
    dl_text_free(&text);
    return columns == COLUMNS && stop == DL_CSV_FILE;
}

/* Every number of a row is at least 0; an empty field is -1 where `known` is not asked for. */
static bool read_number(const char *field, bool known, int64_t most, int64_t *out)
{
    char *end;
    errno = 0;
    *out = -1;
    if (!*field) return !known;
    if (*field < '0' || *field > '9') return false;
    *out = strtoll(field, &end, 10);
    return !*end && !errno && *out <= most;
}

static bool read_real(const char *field, double *out)
{
    char *end;
    *out = strtod(field, &end);
    return *field && !*end && *out >= 0 && *out < 1e12;
}

static bool read_known_real(const char *field, double *out)
{
    *out = -1;
    return !*field || read_real(field, out);
}

static bool read_outcome(const char *field, dl_outcome *out)
{
    for (int i = 0; i < DL_RUN_OUTCOMES; i++) {
        *out = (dl_outcome)i;
        if (strcmp(field, OUTCOME[i]) == 0) return true;
    }
    return false;
}

static bool read_name(const char *field, bool known, char name[DL_RECORD_NAME])
{
    if ((known && !*field) || strlen(field) >= DL_RECORD_NAME) return false;
    snprintf(name, DL_RECORD_NAME, "%s", field);
    return true;
}

dl_status dl_record_parse(const char *line, size_t length, const char *name, int number, dl_record *out, dl_error *err)
{
    char field[COLUMNS][FIELD];
    int64_t agents, order, seed, candidates, iterations, threads;
    dl_record r;
    if (!split(line, length, field))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: expected %d fields of a benchmark run", name, number, COLUMNS);
    bool good =
        read_name(field[0], true, r.family) && read_number(field[1], true, INT32_MAX, &agents) &&
        read_number(field[2], true, INT32_MAX, &order) && read_number(field[3], true, INT64_MAX, &seed) &&
        read_name(field[4], true, r.method) && read_real(field[5], &r.limit) && read_outcome(field[6], &r.outcome) &&
        read_number(field[7], false, INT64_MAX, &r.soc) && read_number(field[8], false, INT64_MAX, &r.makespan) &&
        read_number(field[9], false, INT64_MAX, &r.sum_of_distances) && read_real(field[10], &r.seconds) &&
        read_number(field[11], true, INT32_MAX, &candidates) && read_number(field[12], true, INT64_MAX, &iterations) &&
        read_number(field[13], false, INT64_MAX, &r.start_conflicts) &&
        read_number(field[14], true, INT32_MAX, &threads) && read_name(field[15], false, r.init) &&
        read_number(field[16], false, INT64_MAX, &r.lower_bound) &&
        read_number(field[17], false, INT64_MAX, &r.first_soc) && read_known_real(field[18], &r.first_seconds) &&
        read_known_real(field[19], &r.cpu_seconds);
    if (!good || (r.outcome == DL_RUN_SOLVED && r.soc < 0))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s:%d: a field of this run cannot be read", name, number);
    r.agents = (int)agents;
    r.number = (int)order;
    r.seed = (uint64_t)seed;
    r.candidates = (int)candidates;
    r.iterations = (uint64_t)iterations;
    r.threads = (int)threads;
    *out = r;
    return DIFFLNS_OK;
}

/* ---- the file ---- */

static int by_run(const void *a, const void *b)
{
    const dl_record *x = *(const dl_record *const *)a, *y = *(const dl_record *const *)b;
    int order = strcmp(x->family, y->family);
    if (order == 0) order = (x->agents > y->agents) - (x->agents < y->agents);
    if (order == 0) order = (x->number > y->number) - (x->number < y->number);
    if (order == 0) order = strcmp(x->method, y->method);
    return order;
}

/* A run that stands there twice would count twice. */
static dl_status refuse_repeated(const char *path, const dl_records *records, dl_error *err)
{
    dl_status status = DIFFLNS_OK;
    const dl_record **sorted = needed(DL_ARRAY(const dl_record *, records->count + 1));
    for (int i = 0; i < records->count; i++) sorted[i] = &records->row[i];
    qsort(sorted, (size_t)records->count, sizeof *sorted, by_run);
    for (int i = 1; i < records->count && status == DIFFLNS_OK; i++)
        if (by_run(&sorted[i - 1], &sorted[i]) == 0)
            status = dl_fail(err, DIFFLNS_BAD_INPUT, "%s: case %d of %s %d by %s appears twice", path,
                             sorted[i]->number, sorted[i]->family, sorted[i]->agents, sorted[i]->method);
    free(sorted);
    return status;
}

static dl_status read_rows(const char *path, const dl_file *file, size_t whole, dl_records *records, dl_error *err)
{
    dl_lines lines = dl_lines_begin(file->data, whole);
    if (!dl_lines_next(&lines) || lines.length != sizeof HEADER - 1 ||
        memcmp(lines.text, HEADER, sizeof HEADER - 1) != 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: not results of difflns bench: expected the header \"%.40s...\"",
                       path, HEADER);
    while (dl_lines_next(&lines)) {
        dl_record record;
        DL_TRY(dl_record_parse(lines.text, lines.length, path, lines.number, &record, err));
        dl_records_add(records, &record);
    }
    return refuse_repeated(path, records, err);
}

/* Reads the lines that have an end; *whole is where they do. */
static dl_status read_file(const char *path, dl_records *records, size_t *whole, dl_error *err)
{
    dl_file file;
    *whole = 0;
    if (access(path, F_OK) != 0) return DIFFLNS_OK;
    DL_TRY(dl_file_read(path, &file, err));
    *whole = file.size;
    while (*whole > 0 && file.data[*whole - 1] != '\n') (*whole)--;
    /* Without a whole line it may be ours, cut in the header, or anybody's. */
    bool begun = *whole == 0 && file.size < sizeof HEADER && memcmp(file.data, HEADER, file.size) == 0;
    dl_status status = begun ? DIFFLNS_OK : read_rows(path, &file, *whole, records, err);
    dl_file_free(&file);
    return status;
}

static dl_status cannot_write(const char *path, dl_error *err)
{
    return dl_fail(err, DIFFLNS_IO, "%s: cannot write: %s", path, strerror(errno));
}

static dl_status open_for_rows(const char *path, dl_results *out, dl_records *records, dl_error *err)
{
    size_t whole;
    DL_TRY(dl_lock_take(&out->lock, path, err));
    DL_TRY(read_file(path, records, &whole, err));
    out->stream = fopen(path, "ab");
    if (!out->stream || ftruncate(fileno(out->stream), (off_t)whole) != 0 ||
        (whole == 0 && (fprintf(out->stream, "%s\n", HEADER) < 0 || fflush(out->stream) != 0)))
        return cannot_write(path, err);
    return DIFFLNS_OK;
}

dl_status dl_results_open(const char *path, dl_results *out, dl_records *records, dl_error *err)
{
    *out = (dl_results){.path = needed(dl_strdup(path))};
    dl_status status = open_for_rows(path, out, records, err);
    if (status != DIFFLNS_OK) dl_results_close(out);
    return status;
}

dl_status dl_results_append(dl_results *results, const dl_record *record, dl_error *err)
{
    dl_text line = {0};
    dl_record_print(record, &line);
    need(!line.cut);
    bool written = fwrite(line.data, 1, line.size, results->stream) == line.size && fflush(results->stream) == 0;
    dl_text_free(&line);
    return written ? DIFFLNS_OK : cannot_write(results->path, err);
}

void dl_results_close(dl_results *results)
{
    if (results->stream) fclose(results->stream);
    dl_lock_release(&results->lock);
    free(results->path);
    *results = (dl_results){0};
}

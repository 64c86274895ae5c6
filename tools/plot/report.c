#include "plot/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "base/output.h"
#include "base/parallel.h"
#include "memory/need.h"
#include "report_assets.h"

/* What experiments write; each has some of them. */
static const char *const TABLE[] = {"results", "summary", "pairs", "init", "ratios", "published"};

/* ---- the machine ---- */

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

static void add_text(json_t *object, const char *name, const char *text)
{
    if (text) json_object_set_new(object, name, dl_json_name(text, strlen(text)));
}

static json_t *describe(const dl_report_head *head)
{
    json_t *object = needed(json_object());
    char processor[128], date[32];
    double load = 0;
    time_t now = time(NULL);
    struct tm utc;
    processor_name(processor);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &utc));
    add_text(object, "experiment", head->experiment);
    add_text(object, "title", head->title);
    add_text(object, "about", head->about);
    add_text(object, "command", head->command);
    add_text(object, "program", "difflns " DIFFLNS_VERSION_STRING);
    add_text(object, "commit", head->commit);
    add_text(object, "compiler", __VERSION__);
    add_text(object, "processor", processor);
    json_object_set_new(object, "cores", json_integer(dl_cores()));
    if (getloadavg(&load, 1) == 1) json_object_set_new(object, "load of the last minute", dl_json_rounded(load, 2));
    if (head->threads > 0) json_object_set_new(object, "threads of a run", json_integer(head->threads));
    add_text(object, "limits", head->limits);
    add_text(object, "instances", head->instances);
    add_text(object, "date", date);
    return object;
}

/* ---- tables ---- */

static json_t *value_of(const dl_text *field)
{
    int64_t whole;
    double real;
    const char *text = field->data ? field->data : "";
    if (!*text) return json_null();
    if (dl_number_whole(text, &whole)) return json_integer(whole);
    return dl_number_real(text, &real) ? json_real(real) : dl_json_name(text, field->size);
}

/* Each row as an object with the names of the header. */
static json_t *rows_of(const dl_file *file)
{
    const char *at = file->data, *end = file->data + file->size;
    json_t *names = needed(json_array()), *rows = needed(json_array()), *row = NULL;
    dl_text field = {0};
    bool in_header = true;
    for (size_t column = 0; at < end;) {
        dl_csv_end stop = dl_csv_next(&at, end, &field);
        need(stop != DL_CSV_NO_MEMORY && !field.cut);
        if (in_header) {
            json_array_append_new(names, dl_json_name(field.data, field.size));
        } else {
            if (column == 0) json_array_append_new(rows, row = needed(json_object()));
            json_t *name = json_array_get(names, column);
            if (name) json_object_set_new(row, json_string_value(name), value_of(&field));
        }
        column = stop == DL_CSV_FIELD ? column + 1 : 0;
        in_header &= stop == DL_CSV_FIELD;
    }
    dl_text_free(&field);
    json_decref(names);
    return rows;
}

static void add_tables(json_t *object, const char *folder)
{
    for (size_t i = 0; i < sizeof TABLE / sizeof TABLE[0]; i++) {
        char name[32];
        dl_file file;
        snprintf(name, sizeof name, "%s.csv", TABLE[i]);
        char *path = needed(dl_file_inside(folder, name));
        if (access(path, F_OK) == 0 && dl_file_read(path, &file, NULL) == DIFFLNS_OK) {
            json_object_set_new(object, TABLE[i], rows_of(&file));
            dl_file_free(&file);
        }
        free(path);
    }
}

/* ---- the page ---- */

/* False if there is no Python, or it failed; it says why itself. Charts want the one that Debian's matplotlib is for.
 */
static bool run_script(const char *folder)
{
    pid_t child = fork();
    if (child == 0) {
        execl("/usr/bin/python3", "python3", "-c", asset_report_py, folder, (char *)NULL);
        execlp("python3", "python3", "-c", asset_report_py, folder, (char *)NULL);
        _exit(EXIT_FAILURE);
    }
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

dl_status dl_report_write(const dl_report_head *head, const char *folder, dl_error *err)
{
    dl_output out;
    json_t *object = describe(head);
    add_tables(object, folder);
    dl_status status = dl_output_open_inside(&out, folder, "bench.json", err);
    if (status != DIFFLNS_OK) {
        json_decref(object);
        return status;
    }
    need(dl_json_write(out.stream, object, JSON_INDENT(1) | DL_JSON_DIGITS));
    DL_TRY(dl_output_commit(&out, err));
    if (!run_script(folder))
        fprintf(stderr, "difflns bench: %s/report.html is not written: it takes python3\n", folder);
    return DIFFLNS_OK;
}

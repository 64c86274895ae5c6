#include "bench/external.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "formats/load.h"
#include "formats/plan_io.h"
#include "memory/need.h"

enum { POLL_MICROSECONDS = 1000, BLANKS = 7 };
enum { SHELL_CANNOT_RUN = 126, SHELL_NOT_FOUND = 127 }; /* exit statuses every shell has in common */

typedef struct blank {
    const char *name;
    char *value;
} blank;

dl_status dl_external_check(const char *name, const char *command, dl_error *err)
{
    static const char *const NEEDED[] = {"{map}", "{scen}", "{output}"};
    for (size_t i = 0; i < sizeof NEEDED / sizeof NEEDED[0]; i++)
        if (!strstr(command, NEEDED[i]))
            return dl_fail(err, DIFFLNS_BAD_INPUT,
                           "external %s: the command has no %s: expected {map}, {scen} and {output}", name, NEEDED[i]);
    return DIFFLNS_OK;
}

__attribute__((format(printf, 1, 2))) static char *format(const char *pattern, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, pattern);
    int length = vasprintf(&text, pattern, arguments);
    va_end(arguments);
    return length < 0 ? needed(dl_strdup("")) : text;
}

/* One word of the shell, whatever is in it. */
static void add_quoted(dl_text *text, const char *word)
{
    dl_text_add(text, "'", 1);
    for (; *word; word++) {
        if (*word == '\'')
            dl_text_print(text, "'\\''");
        else
            dl_text_add(text, word, 1);
    }
    dl_text_add(text, "'", 1);
}

static char *fill_in(const char *command, const blank *places)
{
    dl_text text = {0};
    while (*command) {
        const blank *found = NULL;
        for (int i = 0; i < BLANKS; i++)
            if (strncmp(command, places[i].name, strlen(places[i].name)) == 0) found = &places[i];
        if (found)
            add_quoted(&text, found->value);
        else
            dl_text_add(&text, command, 1);
        command += found ? strlen(found->name) : 1;
    }
    need(!text.cut);
    return text.data;
}

/* In a group of its own, so that whatever it starts ends with it. */
static pid_t spawn(const char *command, const char *log)
{
    pid_t child = fork();
    if (child != 0) return child;
    setpgid(0, 0);
    int nothing = open("/dev/null", O_RDONLY), words = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (nothing < 0 || words < 0) _exit(SHELL_CANNOT_RUN);
    dup2(nothing, STDIN_FILENO);
    dup2(words, STDOUT_FILENO);
    dup2(words, STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(SHELL_NOT_FOUND);
}

/* Waits for the end or makes it. The exit status, or -1 if a signal ended it. */
static int wait_for(pid_t child, double until, const atomic_int *stop)
{
    bool itself = true;
    int status;
    setpgid(child, child); /* in parent and child: either may come first */
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (itself && (dl_now() > until || (stop && atomic_load(stop)))) {
            kill(-child, SIGKILL);
            itself = false;
        }
        usleep(POLL_MICROSECONDS);
    }
    kill(-child, SIGKILL); /* what it left running */
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A result file says solved=0; others write nothing into the file they opened. */
static bool says_unsolved(const char *output)
{
    dl_file file;
    if (dl_file_read(output, &file, NULL) != DIFFLNS_OK) return false;
    bool empty = true, unsolved = false;
    dl_lines lines = dl_lines_begin(file.data, file.size);
    while (dl_lines_next_full(&lines)) {
        const char *at = lines.text, *end = at + lines.length;
        empty = false;
        unsolved |= dl_scan_text(&at, end, "solved=0") && at == end;
    }
    dl_file_free(&file);
    return empty || unsolved;
}

static void read_result(const dl_instance *instance, const char *output, dl_external_result *result)
{
    if (access(output, F_OK) != 0)
        dl_fail(&result->unusable, DIFFLNS_UNSOLVED, "no plan was written");
    else if (dl_plan_read(instance, output, DIFFLNS_ORDER_AUTO, &result->plan, &result->unusable) == DIFFLNS_OK)
        result->unusable.status = DIFFLNS_OK;
    else if (says_unsolved(output))
        result->failed = true;
}

static dl_status run_command(const dl_external *external, const char *command, const char *log,
                             dl_external_result *result, dl_error *err)
{
    double began = dl_now();
    pid_t child = spawn(command, log);
    if (child < 0) return dl_fail(err, DIFFLNS_IO, "external %s: cannot start: %s", external->name, strerror(errno));
    int status = wait_for(child, began + external->seconds + dl_external_grace(external->seconds), external->stop);
    result->seconds = dl_now() - began;
    result->failed = status != 0;
    if (status != SHELL_NOT_FOUND && status != SHELL_CANNOT_RUN) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "external %s: the command %s (see %s)", external->name,
                   status == SHELL_NOT_FOUND ? "was not found" : "cannot be run", log);
}

static dl_status write_command(const char *path, const char *command, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    fprintf(out.stream, "%s\n", command);
    return dl_output_commit(&out, err);
}

dl_status dl_external_claim(const char *folder, const char *name, const char *command, bool begun, dl_error *err)
{
    char *path = format("%s/%s.command", folder, name), *line = format("%s\n", command);
    dl_file kept = {0};
    dl_status status = DIFFLNS_OK;
    if (begun && (dl_file_read(path, &kept, NULL) != DIFFLNS_OK || strcmp(kept.data, line) != 0))
        status = dl_fail(err, DIFFLNS_BAD_INPUT,
                         "%s/results.csv: has runs of %s by %s: expected the same command, or another --out", folder,
                         name, kept.data ? "another command" : "a command that was not kept");
    else if (!begun)
        status = write_command(path, command, err);
    dl_file_free(&kept);
    free(line);
    free(path);
    return status;
}

dl_status dl_external_run(const dl_external *external, const dl_instance *instance, dl_external_result *result,
                          dl_error *err)
{
    *result = (dl_external_result){0};
    char *base = format("%s/%s-%ld", external->folder, external->name, (long)getpid());
    blank place[BLANKS] = {{"{map}", format("%s.map", base)},
                           {"{scen}", format("%s.scen", base)},
                           {"{output}", format("%s.plan", base)},
                           {"{agents}", format("%d", instance->agents)},
                           {"{limit}", format("%g", external->seconds)},
                           {"{limit_whole}", format("%.0f", fmax(1, ceil(external->seconds)))},
                           {"{seed}", format("%" PRIu64, external->seed)}};
    char *log = format("%s/%s.log", external->folder, external->name);
    char *command = fill_in(external->command, place);
    const char *map = place[0].value, *scen = place[1].value, *output = place[2].value;
    unlink(output);
    dl_status status = dl_instance_write_map(instance, map, err);
    if (status == DIFFLNS_OK) status = dl_instance_write_scen(instance, scen, err);
    if (status == DIFFLNS_OK) status = run_command(external, command, log, result, err);
    if (status == DIFFLNS_OK) read_result(instance, output, result);
    if (external->stop && atomic_load(external->stop)) {
        dl_plan_free(result->plan);
        result->plan = NULL;
        status = dl_fail(err, DIFFLNS_STOPPED, "stopped");
    }
    unlink(map);
    unlink(scen);
    unlink(output);
    for (int i = 0; i < BLANKS; i++) free(place[i].value);
    free(command);
    free(log);
    free(base);
    return status;
}

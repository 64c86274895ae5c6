#include "cli/cli.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "memory/need.h"

/* The library speaks no command line: which option gives it what it expected. */
static const char *hint(const difflns_error *err)
{
    static const struct {
        const char *expected, *hint;
    } HINTS[] = {{" maps, expected the name of one", " (--map-name)"},
                 {" scenarios, expected the name of one", " (--scenario)"},
                 {"expected an order, rowcol or colrow", " (--order)"}};
    for (size_t i = 0; i < sizeof HINTS / sizeof HINTS[0]; i++)
        if (err->status == DIFFLNS_BAD_INPUT && strstr(err->message, HINTS[i].expected)) return HINTS[i].hint;
    return "";
}

int cli_fail(const difflns_error *err)
{
    if (err->status == DIFFLNS_INTERNAL) {
        fprintf(stderr, "difflns: %s; this is a bug in difflns %s: please report it with the command you ran\n",
                err->message, difflns_version());
        return 4;
    }
    fprintf(stderr, "difflns: %s%s\n", err->message, hint(err));
    switch (err->status) {
    case DIFFLNS_OK:
        return 0;
    case DIFFLNS_BAD_INPUT:
    case DIFFLNS_IO:
        return 2;
    case DIFFLNS_UNSOLVABLE:
        return 3;
    case DIFFLNS_OUT_OF_MEMORY:
        return 4;
    default:
        return 1;
    }
}

int cli_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("difflns ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return 2;
}

int cli_check_outputs(const char *verb_name, const char *const *outputs, int output_count, const char *const *inputs,
                      int input_count)
{
    for (int i = 0; i < output_count; i++) {
        if (!outputs[i]) continue;
        for (int k = 0; k < input_count; k++)
            if (inputs[k] && dl_file_same(outputs[i], inputs[k]))
                return cli_usage("%s: %s: is an input and would be overwritten: expected another output file",
                                 verb_name, outputs[i]);
        for (int k = 0; k < i; k++)
            if (outputs[k] && dl_file_same(outputs[i], outputs[k]))
                return cli_usage("%s: %s: would be written twice: expected different output files", verb_name,
                                 outputs[i]);
    }
    return 0;
}

static bool matches_one(const char *const *patterns, const char *name)
{
    for (; *patterns; patterns++)
        if (fnmatch(*patterns, name, 0) == 0) return true;
    return false;
}

int cli_check_folder(const char *verb_name, const char *folder, const char *const *patterns, const char *const *inputs,
                     int input_count)
{
    DIR *dir = opendir(folder);
    int status = 0;
    /* This stream is ours alone, which is all readdir asks for. */
    // cppcheck-suppress readdirCalled
    for (const struct dirent *entry; dir && status == 0 && (entry = readdir(dir)) != NULL;) {
        if (!matches_one(patterns, entry->d_name)) continue;
        char *path = needed(dl_file_inside(folder, entry->d_name));
        status = cli_check_outputs(verb_name, (const char *const *)&path, 1, inputs, input_count);
        free(path);
    }
    if (dir) closedir(dir);
    return status;
}

int cli_load(const options *opts, const char *verb_name, difflns_instance **out)
{
    *out = NULL;
    if (!opts->map) return cli_usage("%s: --map: expected a file", verb_name);
    difflns_error err;
    /* Without a scenario the map must show its agents; if it does not, the message says what is missing. */
    if (difflns_instance_load_named(opts->map, opts->map_name, opts->scen, opts->scenario, (int)opts->agents, out,
                                    &err) != DIFFLNS_OK)
        return cli_fail(&err);
    return 0;
}

int cli_read_plan(const options *opts, const difflns_instance *instance, const char *path, difflns_plan **out)
{
    difflns_error err;
    if (difflns_plan_read_order(instance, path, (difflns_order)opts->order, out, &err) != DIFFLNS_OK)
        return cli_fail(&err);
    return 0;
}

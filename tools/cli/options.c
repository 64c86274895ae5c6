#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { KIND_INT, KIND_REAL, KIND_TEXT, KIND_LIST, KIND_CHOICE, KIND_FLAG } kind;

typedef struct option {
    int verbs;
    kind kind;
    size_t offset; /* of the field in struct options */
    const char *name;
    char letter;
    double real_default;
    int64_t int_default;
    const char *text_default;
    int64_t int_low, int_high;
    double real_low, real_high;
    const char *meta; /* METAVAR, or the choices */
    const char *help;
} option;

static const option TABLE[] = {
#define INT_OPTION(verbs, field, name, letter, def, low, high, meta, help)                                             \
    {verbs, KIND_INT, offsetof(options, field), name, letter, 0, def, NULL, low, high, 0, 0, meta, help},
#define REAL_OPTION(verbs, field, name, letter, def, low, high, meta, help)                                            \
    {verbs, KIND_REAL, offsetof(options, field), name, letter, def, 0, NULL, 0, 0, low, high, meta, help},
#define TEXT_OPTION(verbs, field, name, letter, def, meta, help)                                                       \
    {verbs, KIND_TEXT, offsetof(options, field), name, letter, 0, 0, def, 0, 0, 0, 0, meta, help},
#define LIST_OPTION(verbs, field, name, letter, meta, help)                                                            \
    {verbs, KIND_LIST, offsetof(options, field), name, letter, 0, 0, NULL, 0, 0, 0, 0, meta, help},
#define CHOICE_OPTION(verbs, field, name, letter, def, meta, help)                                                     \
    {verbs, KIND_CHOICE, offsetof(options, field), name, letter, 0, def, NULL, 0, 0, 0, 0, meta, help},
#define FLAG_OPTION(verbs, field, name, letter, help)                                                                  \
    {verbs, KIND_FLAG, offsetof(options, field), name, letter, 0, 0, NULL, 0, 0, 0, 0, "", help},
#include "cli/options.def"
};
enum { OPTIONS = sizeof TABLE / sizeof TABLE[0] };

static void set_defaults(options *out, int verb_bit)
{
    for (int i = 0; i < OPTIONS; i++) {
        const option *row = &TABLE[i];
        void *field = (char *)out + row->offset;
        if (!(row->verbs & verb_bit)) continue;
        switch (row->kind) {
        case KIND_INT:
        case KIND_CHOICE:
            *(int64_t *)field = row->int_default;
            break;
        case KIND_REAL:
            *(double *)field = row->real_default;
            break;
        case KIND_TEXT:
            *(const char **)field = row->text_default;
            break;
        case KIND_LIST:
            *(option_list *)field = (option_list){0};
            break;
        case KIND_FLAG:
            *(bool *)field = false;
            break;
        }
    }
}

static const option *find(int verb_bit, const char *name, size_t length, char letter)
{
    for (int i = 0; i < OPTIONS; i++) {
        const option *row = &TABLE[i];
        if (!(row->verbs & verb_bit)) continue;
        if (letter ? row->letter == letter : strlen(row->name) == length && memcmp(row->name, name, length) == 0)
            return row;
    }
    return NULL;
}

/* The index of `word` among "a|b|c", or -1. */
static int choice_index(const char *choices, const char *word)
{
    size_t length = strlen(word);
    for (int index = 0;; index++) {
        const char *bar = strchr(choices, '|');
        size_t room = bar ? (size_t)(bar - choices) : strlen(choices);
        if (room == length && memcmp(choices, word, length) == 0) return index;
        if (!bar) return -1;
        choices = bar + 1;
    }
}

static int refuse(const verb *v, const option *row, const char *value, const char *expected)
{
    fprintf(stderr, "difflns %s: --%s: \"%s\": expected %s\n", v->name, row->name, value, expected);
    return 2;
}

static int store(const verb *v, const option *row, const char *value, options *out)
{
    void *field = (char *)out + row->offset;
    char *end = NULL, expected[160];
    errno = 0;
    switch (row->kind) {
    case KIND_INT: {
        long long number = strtoll(value, &end, 10);
        snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)row->int_low,
                 (long long)row->int_high);
        if (end == value || *end || errno || number < row->int_low || number > row->int_high)
            return refuse(v, row, value, expected);
        *(int64_t *)field = number;
        return 0;
    }
    case KIND_REAL: {
        double number = strtod(value, &end);
        snprintf(expected, sizeof expected, "a number from %g to %g", row->real_low, row->real_high);
        if (end == value || *end || !isfinite(number) || number < row->real_low || number > row->real_high)
            return refuse(v, row, value, expected);
        *(double *)field = number;
        return 0;
    }
    case KIND_CHOICE: {
        int index = choice_index(row->meta, value);
        snprintf(expected, sizeof expected, "one of %s", row->meta);
        if (index < 0) return refuse(v, row, value, expected);
        *(int64_t *)field = index;
        return 0;
    }
    case KIND_TEXT:
        *(const char **)field = value;
        return 0;
    case KIND_LIST: {
        option_list *list = field;
        snprintf(expected, sizeof expected, "at most %d of them", MAX_REPEATS);
        if (list->count == MAX_REPEATS) return refuse(v, row, value, expected);
        list->value[list->count++] = value;
        return 0;
    }
    case KIND_FLAG:
        *(bool *)field = true;
        return 0;
    }
    return 2;
}

static int parse_option(const verb *v, int argc, char **argv, int *at, options *out)
{
    const char *word = argv[*at], *value = NULL;
    const option *row;
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        row = find(v->bit, word + 2, equals ? (size_t)(equals - word - 2) : strlen(word + 2), 0);
        value = equals ? equals + 1 : NULL;
    } else {
        row = find(v->bit, NULL, 0, word[1]);
        if (word[2]) value = word + 2;
    }
    if (!row) {
        fprintf(stderr, "difflns %s: unknown option %s (see difflns %s --help)\n", v->name, word, v->name);
        return 2;
    }
    if (row->kind == KIND_FLAG) {
        if (value) {
            fprintf(stderr, "difflns %s: --%s takes no value\n", v->name, row->name);
            return 2;
        }
    } else if (!value) {
        if (*at + 1 >= argc) {
            fprintf(stderr, "difflns %s: --%s: expected a value\n", v->name, row->name);
            return 2;
        }
        value = argv[++*at];
    }
    return store(v, row, value, out);
}

int options_parse(const verb *v, int argc, char **argv, options *out)
{
    memset(out, 0, sizeof *out);
    set_defaults(out, v->bit);
    bool only_arguments = false;
    for (int i = 0; i < argc; i++) {
        if (!only_arguments && strcmp(argv[i], "--") == 0) {
            only_arguments = true;
        } else if (!only_arguments && argv[i][0] == '-' && argv[i][1]) {
            int status = parse_option(v, argc, argv, &i, out);
            if (status) return status;
        } else if (out->arguments == v->most) {
            fprintf(stderr, "difflns %s: unexpected argument \"%s\" (see difflns %s --help)\n", v->name, argv[i],
                    v->name);
            return 2;
        } else {
            out->argument[out->arguments++] = argv[i];
        }
    }
    if (out->arguments < v->least) {
        fprintf(stderr, "difflns %s: expected %s (see difflns %s --help)\n", v->name, v->arguments, v->name);
        return 2;
    }
    return 0;
}

static void default_text(const option *row, char *text, size_t room)
{
    text[0] = 0;
    if (row->kind == KIND_INT && row->int_default >= row->int_low)
        snprintf(text, room, "%lld", (long long)row->int_default);
    else if (row->kind == KIND_REAL && row->real_default >= row->real_low)
        snprintf(text, room, "%g", row->real_default);
    else if (row->kind == KIND_TEXT && row->text_default)
        snprintf(text, room, "%s", row->text_default);
    else if (row->kind == KIND_CHOICE) {
        const char *choices = row->meta;
        for (int64_t i = 0; i < row->int_default; i++) choices = strchr(choices, '|') + 1;
        snprintf(text, room, "%.*s", (int)strcspn(choices, "|"), choices);
    }
}

enum { HELP_COLUMN = 35 };
#define HELP_BREAK "\n                                     "

void options_help(FILE *stream, const verb *v)
{
    fprintf(stream, "usage: difflns %s %s%s[options]\n\n%s\n\n", v->name, v->arguments, *v->arguments ? " " : "",
            v->summary);
    if (v->details) fprintf(stream, "%s\n\n", v->details);
    for (int i = 0; i < OPTIONS; i++) {
        const option *row = &TABLE[i];
        if (!(row->verbs & v->bit)) continue;
        char left[120], def[64];
        if (row->letter)
            snprintf(left, sizeof left, "-%c, --%s %s", row->letter, row->name, row->meta);
        else
            snprintf(left, sizeof left, "    --%s %s", row->name, row->meta);
        default_text(row, def, sizeof def);
        /* A long left side gets a line of its own, so that the texts stay aligned. */
        fprintf(stream, "  %-*s%s%s%s%s%s\n", HELP_COLUMN, left, strlen(left) < HELP_COLUMN ? "" : HELP_BREAK,
                row->help, *def ? " [" : "", def, *def ? "]" : "");
    }
}

/* A hyphen in troff text is a typographic one; options need the plain one. */
static void man_text(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (*text == '-' || *text == '\\') fputc('\\', stream);
        fputc(*text, stream);
    }
}

void options_man(FILE *stream, const verb *verbs, int count)
{
    fprintf(stream, ".TH DIFFLNS 1 \"\" \"difflns %s\"\n.SH NAME\ndifflns \\- dense multi\\-agent path finding\n",
            DIFFLNS_VERSION_STRING);
    fprintf(stream, ".SH SYNOPSIS\n.B difflns\n.I VERB\n[arguments] [options]\n.SH DESCRIPTION\n"
                    "Finds collision\\-free paths for many agents on a crowded grid map, checks and shows them.\n");
    for (int i = 0; i < count; i++) {
        fprintf(stream, ".SH ");
        for (const char *c = verbs[i].name; *c; c++) fputc(*c >= 'a' && *c <= 'z' ? *c - 32 : *c, stream);
        fprintf(stream, "\n.B difflns %s\n", verbs[i].name);
        man_text(stream, verbs[i].arguments);
        fprintf(stream, " [options]\n.PP\n");
        man_text(stream, verbs[i].summary);
        fputc('\n', stream);
        if (verbs[i].details) {
            fprintf(stream, ".PP\n");
            man_text(stream, verbs[i].details);
            fputc('\n', stream);
        }
        for (int k = 0; k < OPTIONS; k++) {
            const option *row = &TABLE[k];
            if (!(row->verbs & verbs[i].bit)) continue;
            char def[64];
            default_text(row, def, sizeof def);
            fprintf(stream, ".TP\n.B ");
            if (row->letter) fprintf(stream, "\\-%c, ", row->letter);
            fprintf(stream, "\\-\\-");
            man_text(stream, row->name);
            if (*row->meta) fprintf(stream, " \\fI%s\\fR", row->meta);
            fputc('\n', stream);
            man_text(stream, row->help);
            if (*def) {
                fprintf(stream, " (default ");
                man_text(stream, def);
                fputc(')', stream);
            }
            fputc('\n', stream);
        }
    }
    fprintf(stream,
            ".SH EXIT STATUS\n0 done (solve: solved); 1 no (solve: not solved within the limit; check: invalid);\n"
            "2 bad input or usage; 3 solve only: proved unsolvable; 4 an internal error, please report it;\n"
            "129, 130 or 143 after SIGHUP, SIGINT or SIGTERM.\n");
}

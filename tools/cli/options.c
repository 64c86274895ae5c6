#include "cli/options.h"

#include <stddef.h>
#include <string.h>

#include "base/choice.h"
#include "base/number.h"
#include "formats/plan_format.h"

typedef enum kind { KIND_INT, KIND_REAL, KIND_TEXT, KIND_LIST, KIND_CHOICE, KIND_FLAG, KIND_SOLVER } kind;

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
    const dl_option *solver; /* of KIND_SOLVER: its row, which has the rest */
} option;

static const option TABLE[] = {
#define ROW(bits, field, word, type, short_name, value, words)                                                         \
    .verbs = bits, .offset = offsetof(options, field), .name = word, .kind = type, .letter = short_name,               \
    .meta = value, .help = words
#define INT_OPTION(verbs, field, name, letter, def, low, high, meta, help)                                             \
    {ROW(verbs, field, name, KIND_INT, letter, meta, help), .int_default = def, .int_low = low, .int_high = high},
#define REAL_OPTION(verbs, field, name, letter, def, low, high, meta, help)                                            \
    {ROW(verbs, field, name, KIND_REAL, letter, meta, help), .real_default = def, .real_low = low, .real_high = high},
#define TEXT_OPTION(verbs, field, name, letter, def, meta, help)                                                       \
    {ROW(verbs, field, name, KIND_TEXT, letter, meta, help), .text_default = def},
#define LIST_OPTION(verbs, field, name, letter, meta, help) {ROW(verbs, field, name, KIND_LIST, letter, meta, help)},
#define CHOICE_OPTION(verbs, field, name, letter, def, choices, help)                                                  \
    {ROW(verbs, field, name, KIND_CHOICE, letter, choices, help), .int_default = def},
#define FLAG_OPTION(verbs, field, name, letter, help) {ROW(verbs, field, name, KIND_FLAG, letter, "", help)},
#define SOLVER_OPTION(...)
#include "cli/options.def"
};
enum { OPTIONS = sizeof TABLE / sizeof TABLE[0] };

/* What the command line adds to rows of the solver's table. */
static const struct {
    int verbs;
    const char *name;
    char letter;
} SOLVER_ROW[] = {
#define INT_OPTION(...)
#define REAL_OPTION(...)
#define TEXT_OPTION(...)
#define LIST_OPTION(...)
#define CHOICE_OPTION(...)
#define FLAG_OPTION(...)
#define SOLVER_OPTION(verbs, name, letter) {verbs, name, letter},
#include "cli/options.def"
};
enum { SOLVER_ROWS = sizeof SOLVER_ROW / sizeof SOLVER_ROW[0] };

static option option_of_solver(const dl_option *row)
{
    option made = {.verbs = SOLVE, .kind = KIND_SOLVER, .name = row->name, .help = row->help, .solver = row};
    made.meta = row->type == DL_OPTION_FLAG && !row->whole.usual ? "" : row->argument;
    for (int i = 0; i < SOLVER_ROWS; i++) {
        if (strcmp(SOLVER_ROW[i].name, row->name) != 0) continue;
        made.verbs = SOLVER_ROW[i].verbs;
        made.letter = SOLVER_ROW[i].letter;
    }
    return made;
}

/* Steps through the options of a verb, the command line's own and then the solver's: begin with *at = 0; false after
 * the last. */
static bool next_option(int verb_bit, int *at, option *row)
{
    for (;;) {
        int index = (*at)++;
        const dl_option *of_solver = dl_option_at(index - OPTIONS);
        if (index >= OPTIONS && !of_solver) return false;
        *row = of_solver ? option_of_solver(of_solver) : TABLE[index];
        if (row->verbs & verb_bit) return true;
    }
}

/* Naming a switch sets it; every other option has a value. */
static bool is_switch(const option *row)
{
    return row->kind == KIND_FLAG || (row->kind == KIND_SOLVER && *row->meta == 0);
}

static void set_defaults(options *out, int verb_bit)
{
    dl_options_default(&out->solver);
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
        case KIND_SOLVER:
            break;
        }
    }
}

static bool find(int verb_bit, const char *name, size_t length, char letter, option *row)
{
    for (int at = 0; next_option(verb_bit, &at, row);)
        if (name ? strlen(row->name) == length && memcmp(row->name, name, length) == 0 : row->letter == letter)
            return true;
    return false;
}

static int refuse(const verb *v, const option *row, const char *value, const char *expected)
{
    fprintf(stderr, "difflns %s: --%s: \"%s\": expected %s\n", v->name, row->name, value, expected);
    return 2;
}

static int store(const verb *v, const option *row, const char *value, options *out)
{
    void *field = (char *)out + row->offset;
    char expected[160];
    switch (row->kind) {
    case KIND_INT: {
        int64_t number;
        snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)row->int_low,
                 (long long)row->int_high);
        if (!dl_number_whole(value, &number) || number < row->int_low || number > row->int_high)
            return refuse(v, row, value, expected);
        *(int64_t *)field = number;
        return 0;
    }
    case KIND_REAL: {
        double number;
        snprintf(expected, sizeof expected, "a number from %g to %g", row->real_low, row->real_high);
        if (!dl_number_real(value, &number) || number < row->real_low || number > row->real_high)
            return refuse(v, row, value, expected);
        *(double *)field = number;
        return 0;
    }
    case KIND_CHOICE: {
        int index = dl_choice_index(row->meta, value);
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
    case KIND_SOLVER: {
        difflns_error err;
        if (dl_option_set_text(row->solver, &out->solver, is_switch(row) ? "on" : value, &err) == DIFFLNS_OK) return 0;
        fprintf(stderr, "difflns %s: --%s\n", v->name, err.message);
        return 2;
    }
    }
    return 2;
}

static int parse_option(const verb *v, int argc, char **argv, int *at, options *out)
{
    const char *word = argv[*at], *value = NULL;
    option row;
    bool known;
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        known = find(v->bit, word + 2, equals ? (size_t)(equals - word - 2) : strlen(word + 2), 0, &row);
        value = equals ? equals + 1 : NULL;
    } else {
        known = find(v->bit, NULL, 0, word[1], &row);
        if (word[2]) value = word + 2;
    }
    if (!known) {
        fprintf(stderr, "difflns %s: unknown option %s (see difflns %s --help)\n", v->name, word, v->name);
        return 2;
    }
    if (is_switch(&row)) {
        if (value) {
            fprintf(stderr, "difflns %s: --%s takes no value\n", v->name, row.name);
            return 2;
        }
    } else if (!value) {
        if (*at + 1 >= argc) {
            fprintf(stderr, "difflns %s: --%s: expected a value\n", v->name, row.name);
            return 2;
        }
        value = argv[++*at];
    }
    if (out->givens < MAX_GIVEN) out->given[out->givens++] = row.name;
    return store(v, &row, value, out);
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

static void default_text(const option *row, char text[DL_OPTION_TEXT])
{
    text[0] = 0;
    if (is_switch(row)) return;
    if (row->kind == KIND_INT && row->int_default >= row->int_low) {
        snprintf(text, DL_OPTION_TEXT, "%lld", (long long)row->int_default);
    } else if (row->kind == KIND_REAL && row->real_default >= row->real_low) {
        snprintf(text, DL_OPTION_TEXT, "%g", row->real_default);
    } else if (row->kind == KIND_TEXT && row->text_default) {
        snprintf(text, DL_OPTION_TEXT, "%s", row->text_default);
    } else if (row->kind == KIND_CHOICE) {
        int length;
        const char *word = dl_choice_word(row->meta, (int)row->int_default, &length);
        snprintf(text, DL_OPTION_TEXT, "%.*s", length, word);
    } else if (row->kind == KIND_SOLVER) {
        dl_options usual;
        dl_options_default(&usual);
        dl_option_text(row->solver, &usual, text);
    }
}

bool options_next(const verb *v, int *at, option_view *view)
{
    option row;
    if (!next_option(v->bit, at, &row)) return false;
    *view = (option_view){.letter = row.letter, .name = row.name, .value = row.meta, .help = row.help};
    view->choices = strchr(row.meta, '|') ? row.meta : NULL;
    default_text(&row, view->usual);
    return true;
}

enum { HELP_COLUMN = 37, HELP_WIDTH = 100 };

/* Words in the right column, as many per line as fit. From `column` on; returns where it ends. */
static int print_wrapped(FILE *stream, const char *text, int column)
{
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > HELP_COLUMN && column + 1 + length > HELP_WIDTH) {
            fprintf(stream, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        column += fprintf(stream, "%s%.*s", column > HELP_COLUMN ? " " : "", length, text);
        text += length + (text[length] == ' ');
    }
    return column;
}

void options_help(FILE *stream, const verb *v)
{
    fprintf(stream, "usage: difflns %s %s%s[options]\n\n%s\n\n", v->name, v->arguments, *v->arguments ? " " : "",
            v->summary);
    if (v->details) fprintf(stream, "%s\n\n", v->details);
    option_view row;
    for (int at = 0; options_next(v, &at, &row);) {
        char left[120], usual[DL_OPTION_TEXT + 2];
        if (row.letter)
            snprintf(left, sizeof left, "  -%c, --%s %s", row.letter, row.name, row.value);
        else
            snprintf(left, sizeof left, "      --%s %s", row.name, row.value);
        /* A long left side gets a line of its own, so that the texts stay aligned. */
        if (strlen(left) < HELP_COLUMN)
            fprintf(stream, "%-*s", HELP_COLUMN, left);
        else
            fprintf(stream, "%s\n%*s", left, HELP_COLUMN, "");
        snprintf(usual, sizeof usual, *row.usual ? "[%s]" : "%s", row.usual);
        print_wrapped(stream, usual, print_wrapped(stream, row.help, HELP_COLUMN));
        fputc('\n', stream);
    }
}

#include "solver/options.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/choice.h"
#include "base/number.h"
#include "lns/destroy.h"
#include "mapf/instance.h"
#include "start/start.h"

#define QUOTED_(x) #x
#define QUOTED(x)  QUOTED_(x)

static const dl_option TABLE[] = {
#define WHOLE_ROW(field, name, type, usual, low, high, argument, help)                                                 \
    {name, type, offsetof(dl_options, field), {usual, low, high}, {0, 0, 0}, argument, help},
#define INT_OPTION(field, name, usual, low, high, argument, help)                                                      \
    WHOLE_ROW(field, name, DL_OPTION_INT, usual, low, high, argument, help)
#define COUNT_OPTION(field, name, usual, argument, help)                                                               \
    WHOLE_ROW(field, name, DL_OPTION_COUNT, usual, 0, INT64_MAX, argument, help)
#define REAL_OPTION(field, name, usual, low, high, argument, help)                                                     \
    {name, DL_OPTION_REAL, offsetof(dl_options, field), {0, 0, 0}, {usual, low, high}, argument, help},
#define FLAG_OPTION(field, name, usual, help) WHOLE_ROW(field, name, DL_OPTION_FLAG, usual, 0, 1, "on|off", help)
/* The highest index follows from the list of choices. */
#define CHOICE_OPTION(field, name, usual, choices, help)                                                               \
    WHOLE_ROW(field, name, DL_OPTION_CHOICE, usual, 0, -1, choices, help)
#include "solver/options.def"
};
enum { ROWS = sizeof TABLE / sizeof TABLE[0] };

const dl_option *dl_option_at(int index)
{
    return index >= 0 && index < ROWS ? &TABLE[index] : NULL;
}

static bool same_name(const char *a, const char *b)
{
    for (; *a && (*a == *b || (*a == '-' && *b == '_')); a++) b++;
    return *a == 0 && *b == 0;
}

const dl_option *dl_option_find(const char *name)
{
    for (int i = 0; i < ROWS; i++)
        if (same_name(TABLE[i].name, name)) return &TABLE[i];
    return NULL;
}

static int64_t option_highest(const dl_option *row)
{
    return row->type == DL_OPTION_CHOICE ? dl_choice_count(row->argument) - 1 : row->whole.high;
}

/* ---- values ---- */

static void store_whole(const dl_option *row, dl_options *options, int64_t value)
{
    void *field = (char *)options + row->offset;
    switch (row->type) {
    case DL_OPTION_INT:
    case DL_OPTION_CHOICE:
        *(int *)field = (int)value;
        break;
    case DL_OPTION_COUNT:
        *(uint64_t *)field = (uint64_t)value;
        break;
    case DL_OPTION_FLAG:
        *(bool *)field = value != 0;
        break;
    case DL_OPTION_REAL:
        *(double *)field = (double)value;
        break;
    }
}

static void store_real(const dl_option *row, dl_options *options, double value)
{
    void *field = (char *)options + row->offset;
    *(double *)field = value;
}

/* Of all types but DL_OPTION_REAL. */
static int64_t whole_value(const dl_option *row, const dl_options *options)
{
    const void *field = (const char *)options + row->offset;
    switch (row->type) {
    case DL_OPTION_INT:
    case DL_OPTION_CHOICE:
        return *(const int *)field;
    case DL_OPTION_COUNT:
        return (int64_t) * (const uint64_t *)field;
    case DL_OPTION_FLAG:
        return *(const bool *)field;
    case DL_OPTION_REAL:
        return (int64_t) * (const double *)field;
    }
    return 0;
}

double dl_option_real(const dl_option *row, const dl_options *options)
{
    if (row->type != DL_OPTION_REAL) return (double)whole_value(row, options);
    const void *field = (const char *)options + row->offset;
    return *(const double *)field;
}

void dl_option_text(const dl_option *row, const dl_options *options, char text[DL_OPTION_TEXT])
{
    int64_t whole = row->type == DL_OPTION_REAL ? 0 : whole_value(row, options);
    int length = 0;
    switch (row->type) {
    case DL_OPTION_INT:
    case DL_OPTION_COUNT:
        snprintf(text, DL_OPTION_TEXT, "%lld", (long long)whole);
        break;
    case DL_OPTION_REAL:
        snprintf(text, DL_OPTION_TEXT, "%.15g", dl_option_real(row, options));
        break;
    case DL_OPTION_FLAG:
        snprintf(text, DL_OPTION_TEXT, "%s", whole ? "on" : "off");
        break;
    case DL_OPTION_CHOICE: {
        const char *word = dl_choice_word(row->argument, (int)whole, &length);
        snprintf(text, DL_OPTION_TEXT, "%.*s", length, word ? word : "");
        break;
    }
    }
}

void dl_options_default(dl_options *options)
{
    for (int i = 0; i < ROWS; i++) {
        if (TABLE[i].type == DL_OPTION_REAL)
            store_real(&TABLE[i], options, TABLE[i].real.usual);
        else
            store_whole(&TABLE[i], options, TABLE[i].whole.usual);
    }
}

double dl_options_seconds(const dl_options *options)
{
    if (options->time >= DL_NO_TIME_LIMIT) return INFINITY;
    if (options->time > 0) return options->time;
    bool ends_by_itself = options->repair_iterations > 0 && options->rounds > 0;
    return options->iterations > 0 || ends_by_itself ? INFINITY : DL_USUAL_TIME;
}

dl_stop dl_options_stop(const dl_options *options)
{
    return options->anytime ? DL_STOP_LIMIT : (dl_stop)options->stop;
}

/* ---- ranges ---- */

/* `value` as the caller gave it. */
static dl_status option_refuse(const dl_option *row, const char *value, dl_error *err)
{
    switch (row->type) {
    case DL_OPTION_INT:
    case DL_OPTION_COUNT:
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: \"%s\": expected a whole number from %lld to %lld", row->name,
                       value, (long long)row->whole.low, (long long)row->whole.high);
    case DL_OPTION_REAL:
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: \"%s\": expected a number from %g to %g", row->name, value,
                       row->real.low, row->real.high);
    case DL_OPTION_FLAG:
    case DL_OPTION_CHOICE:
        break;
    }
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: \"%s\": expected one of %s", row->name, value, row->argument);
}

/* What the preset just set says about other options. */
static dl_status apply_preset(dl_options *options, dl_error *err)
{
    static const struct {
        int preset;
        const char *name, *value;
    } VALUES[] = {
#define PRESET_VALUE(preset, name, value) {preset, name, value},
#include "solver/presets.def"
#undef PRESET_VALUE
    };
    for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++)
        if (VALUES[i].preset == options->preset)
            DL_TRY(dl_option_set_text(dl_option_find(VALUES[i].name), options, VALUES[i].value, err));
    return DIFFLNS_OK;
}

static bool is_preset(const dl_option *row)
{
    return row->offset == offsetof(dl_options, preset);
}

dl_status dl_option_set_whole(const dl_option *row, dl_options *options, int64_t value, dl_error *err)
{
    if (row->type == DL_OPTION_REAL) return dl_option_set_real(row, options, (double)value, err);
    if (value < row->whole.low || value > option_highest(row)) {
        char text[DL_OPTION_TEXT];
        snprintf(text, sizeof text, "%lld", (long long)value);
        return option_refuse(row, text, err);
    }
    store_whole(row, options, value);
    return is_preset(row) ? apply_preset(options, err) : DIFFLNS_OK;
}

dl_status dl_option_set_real(const dl_option *row, dl_options *options, double value, dl_error *err)
{
    bool fits = row->type == DL_OPTION_REAL ? value >= row->real.low && value <= row->real.high
                                            : value == trunc(value) && fabs(value) < 0x1p63;
    if (!fits) {
        char text[DL_OPTION_TEXT];
        snprintf(text, sizeof text, "%g", value);
        return option_refuse(row, text, err);
    }
    if (row->type != DL_OPTION_REAL) return dl_option_set_whole(row, options, (int64_t)value, err);
    store_real(row, options, value);
    return DIFFLNS_OK;
}

dl_status dl_option_set_text(const dl_option *row, dl_options *options, const char *text, dl_error *err)
{
    int64_t whole = 0;
    double real = 0;
    bool fits = true;
    switch (row->type) {
    case DL_OPTION_INT:
    case DL_OPTION_COUNT:
        fits = dl_number_whole(text, &whole) && whole >= row->whole.low && whole <= row->whole.high;
        break;
    case DL_OPTION_REAL:
        fits = dl_number_real(text, &real) && real >= row->real.low && real <= row->real.high;
        break;
    case DL_OPTION_FLAG:
        whole = strcmp(text, "on") == 0;
        fits = whole || strcmp(text, "off") == 0;
        break;
    case DL_OPTION_CHOICE:
        whole = dl_choice_index(row->argument, text);
        fits = whole >= 0;
        break;
    }
    if (!fits) return option_refuse(row, text, err);
    if (row->type == DL_OPTION_REAL)
        store_real(row, options, real);
    else
        store_whole(row, options, whole);
    return is_preset(row) ? apply_preset(options, err) : DIFFLNS_OK;
}

dl_status dl_options_check(const dl_options *options, dl_error *err)
{
    dl_options copy = *options;
    for (int i = 0; i < ROWS; i++) {
        if (TABLE[i].type == DL_OPTION_REAL)
            DL_TRY(dl_option_set_real(&TABLE[i], &copy, dl_option_real(&TABLE[i], options), err));
        else if (TABLE[i].type != DL_OPTION_COUNT) /* every one of those will do */
            DL_TRY(dl_option_set_whole(&TABLE[i], &copy, whole_value(&TABLE[i], options), err));
    }
    if (dl_options_stop(options) == DL_STOP_LIMIT && isinf(dl_options_seconds(options)) && options->iterations == 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: there is neither a limit of time nor of iterations",
                       options->anytime ? "anytime" : "stop: \"limit\"");
    return DIFFLNS_OK;
}

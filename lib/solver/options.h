/* Solver options: a plain struct and what the table in options.def says about each field. For tools. */
#ifndef DL_SOLVER_OPTIONS_H
#define DL_SOLVER_OPTIONS_H

#include <stdbool.h>

#include "base/status.h"
#include "solver/stop_rule.h"

enum { DL_MOST_THREADS = 256 };
#define DL_PRESET_CHOICES "none|paper"
/* The choices of `repair` and `sampling`. */
enum { DL_REPAIR_OURS, DL_REPAIR_AS_PUBLISHED };
enum { DL_SAMPLING_OF_MODEL, DL_SAMPLING_OF_PAPER };
/* A time limit of 30 years is none. */
#define DL_NO_TIME_LIMIT 1e9
/* Seconds for a caller that sets no limit. */
#define DL_USUAL_TIME 60
/* Seconds for the repair of one candidate, as in the paper. */
#define DL_REPAIR_SECONDS 120

typedef struct dl_options {
#define INT_OPTION(field, ...)    int field;
#define COUNT_OPTION(field, ...)  uint64_t field;
#define REAL_OPTION(field, ...)   double field;
#define FLAG_OPTION(field, ...)   bool field;
#define CHOICE_OPTION(field, ...) int field; /* the index of the choice */
#include "solver/options.def"
#undef INT_OPTION
#undef COUNT_OPTION
#undef REAL_OPTION
#undef FLAG_OPTION
#undef CHOICE_OPTION
} dl_options;

typedef enum dl_option_type {
    DL_OPTION_INT,   /* int */
    DL_OPTION_COUNT, /* uint64_t; can be set to at most INT64_MAX, any value will do */
    DL_OPTION_REAL,  /* double */
    DL_OPTION_FLAG,  /* bool; "on" or "off" as text */
    DL_OPTION_CHOICE /* int: an index; a word as text */
} dl_option_type;

/* A row of the table. Whole numbers, flags and choices have their range and default in `whole`, reals in `real`. */
typedef struct dl_option {
    const char *name; /* "repair-time" */
    dl_option_type type;
    size_t offset; /* of the field in dl_options */
    struct {
        int64_t usual, low, high;
    } whole;
    struct {
        double usual, low, high;
    } real;
    const char *argument; /* what stands for its value in help, "SECONDS"; "a|b|c" for choices, "on|off" for flags */
    const char *help;
} dl_option;

/* The table: rows 0, 1, ... in the order of options.def; NULL after the last. */
const dl_option *dl_option_at(int index);
/* NULL if there is none of that name. '_' counts as '-', so "repair_time" is found, too. */
const dl_option *dl_option_find(const char *name);

void dl_options_default(dl_options *options);
/* Refuses values out of range, in words that name the option. */
dl_status dl_options_check(const dl_options *options, dl_error *err);

/* Set one value. Refused with a line such as 'neighbors: "0": expected a whole number from 1 to 65534'; then nothing
 * is changed. A real option takes whole numbers, too. */
dl_status dl_option_set_text(const dl_option *row, dl_options *options, const char *text, dl_error *err);
dl_status dl_option_set_whole(const dl_option *row, dl_options *options, int64_t value, dl_error *err);
dl_status dl_option_set_real(const dl_option *row, dl_options *options, double value, dl_error *err);

/* The value, whatever its type. */
double dl_option_real(const dl_option *row, const dl_options *options);
enum { DL_OPTION_TEXT = DIFFLNS_OPTION_ROOM };
/* The value as dl_option_set_text reads it. */
void dl_option_text(const dl_option *row, const dl_options *options, char text[DL_OPTION_TEXT]);

/* The time limit the options come to, in seconds; infinite = none. */
double dl_options_seconds(const dl_options *options);
/* When to hand over: `stop`, or `anytime`, which is the same as `stop` = "limit". */
dl_stop dl_options_stop(const dl_options *options);

#endif

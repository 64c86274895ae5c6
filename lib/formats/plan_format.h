/* Plan formats: a file and a row of plan_format.def each. For tools. */
#ifndef DL_FORMATS_PLAN_FORMAT_H
#define DL_FORMATS_PLAN_FORMAT_H

#include <jansson.h>
#include <stdio.h>

#include "base/lines.h"
#include "mapf/plan.h"

/* A text whose format is to be found out and read. */
typedef struct dl_plan_text {
    const char *name; /* of the file, for messages */
    const char *data; /* without a byte-order mark */
    size_t size;
    dl_lines first;      /* the first line that is not blank */
    const json_t *json;  /* what it says, if it is JSON; NULL otherwise */
    difflns_order order; /* of coordinates, for formats where it is in doubt */
} dl_plan_text;

/* How much a text looks like a plan of a format. */
typedef enum dl_likeness { DL_UNLIKE, DL_PERHAPS, DL_SURELY } dl_likeness;

/* A row of the table. */
typedef struct dl_plan_format {
    const char *name;  /* "json" */
    const char *looks; /* what a reader sees, for messages; NULL = written only */
    const char *help;
    dl_likeness (*likeness)(const dl_plan_text *text);
    /* The plan is complete (each agent has a path of at least one cell) but not checked. On failure *out, NULL at
     * first, is what there is of it, for the caller to free. */
    dl_status (*read)(const dl_instance *instance, const dl_plan_text *text, dl_plan **out, dl_error *err);
    /* What was written before a failure is the caller's to drop. */
    dl_status (*write)(FILE *stream, const dl_instance *instance, const dl_plan *plan, dl_error *err);
} dl_plan_format;

/* Rows 0, 1, ... as in difflns_format; NULL after the last. */
const dl_plan_format *dl_plan_format_at(int format);
/* The number of the row of that name, or -1. */
int dl_plan_format_find(const char *name);
/* "json|paths|...": the names in their order, after the first bar. */
extern const char DL_PLAN_FORMATS_BARRED[];
#define DL_PLAN_FORMATS (DL_PLAN_FORMATS_BARRED + 1)
/* The format a text looks most like, the first of equals; NULL if it looks like none. */
const dl_plan_format *dl_plan_format_of(const dl_plan_text *text);
/* "JSON, ... or ...": what all of them look like. */
enum { DL_PLAN_LOOKS = 200 };
void dl_plan_format_looks(char text[DL_PLAN_LOOKS]);

/* The letter for a step: letters[0] for a wait, then up, down, left and right; 0 for a jump. */
char dl_plan_step_letter(difflns_cell from, difflns_cell to, const char letters[5]);
/* Refuses jumps, which a format of steps can't say. */
dl_status dl_plan_require_steps(const char *format, const dl_plan *plan, dl_error *err);

#define FORMAT(id, ...)                                                                                                \
    dl_likeness dl_plan_##id##_likeness(const dl_plan_text *text);                                                     \
    dl_status dl_plan_##id##_read(const dl_instance *instance, const dl_plan_text *text, dl_plan **out,                \
                                  dl_error *err);                                                                      \
    dl_status dl_plan_##id##_write(FILE *stream, const dl_instance *instance, const dl_plan *plan, dl_error *err);
#include "formats/plan_format.def"

#endif

/* The report of a solve as JSON. For tools. */
#ifndef DL_SOLVER_REPORT_JSON_H
#define DL_SOLVER_REPORT_JSON_H

#include <stdbool.h>

#include "base/status.h"
#include "solver/report.h"

/* What the report does not say of the solve it is about. */
typedef struct dl_report_context {
    dl_status status;
    bool has_plan;
    int agents;
    uint64_t seed;
} dl_report_context;

/* "solved", "unsolved" or "unsolvable": stopped with a plan is solved. */
const char *dl_report_status(const dl_report_context *context);
/* The whole report, indented; the caller's to free(). NULL when memory is out. */
char *dl_report_json(const dl_report *report, const dl_report_context *context);

#endif

/* Plans as one self-contained HTML page that plays them, without any network access. The page itself is written in
 * lib/page/assets/. For tools. */
#ifndef DL_PAGE_PAGE_H
#define DL_PAGE_PAGE_H

#include <stdio.h>

#include "mapf/plan.h"

typedef struct dl_page_plan {
    const dl_plan *plan;
    const char *title; /* may be NULL */
    const char *note;  /* one short line under the title, such as "solved in 8.0 s"; may be NULL */
} dl_page_plan;

/* A goal given to an agent at a time step: of fleets, whose goals change while they drive. */
typedef struct dl_page_task {
    int step, agent;
    dl_cell goal;
} dl_page_task;

typedef enum dl_page_layout {
    DL_PAGE_SIDE_BY_SIDE, /* all plans at once, in lock-step: one or two of them */
    DL_PAGE_SEQUENCE      /* one plan at a time and a slider over them, e.g. from noise to plan */
} dl_page_layout;

typedef struct dl_page {
    const dl_instance *instance;
    const char *title; /* may be NULL: the name of the map */
    dl_page_layout layout;
    int count; /* of plans, at least 1 */
    const dl_page_plan *plans;
    const dl_page_task *task; /* [tasks] in order of time; NULL: everybody has the goal of the instance */
    int tasks;
} dl_page;

/* Refuses plans with another number of agents than the instance; any other fault of a plan is shown by the page. */
dl_status dl_page_write(const dl_page *page, const char *path, dl_error *err);
dl_status dl_page_print(const dl_page *page, FILE *stream, dl_error *err);

#endif

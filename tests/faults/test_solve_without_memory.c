/* A whole solve when memory is out: the best plan there is, or a status that says so. */
#include "everywhere.h"
#include "faults.h"
#include "mapf/check.h"
#include "solver/solve.h"
#include "support.h"

typedef struct solve_case {
    difflns_options options;
    const char *rows;
    int agents;
    const int (*tasks)[4];
    bool keep_start;
} solve_case;

static const int CROWD[][4] = {{0, 0, 0, 5}, {0, 5, 0, 0}, {1, 0, 2, 5}, {2, 5, 1, 0},
                               {2, 0, 0, 2}, {0, 2, 2, 0}, {1, 5, 2, 2}};
static const char *const CROWDED_ROWS = "....../.@..@./......";

/* The instance anew each time: what its map keeps must not serve the next try. */
static dl_status make(const solve_case *c, difflns_instance **out)
{
    uint8_t blocked[256];
    int height = 1, width = (int)strcspn(c->rows, "/"), area = 0;
    for (const char *r = c->rows; *r; r++)
        if (*r == '/')
            height++;
        else
            blocked[area++] = *r == '@';
    difflns_cell starts[16], goals[16];
    for (int i = 0; i < c->agents; i++) {
        starts[i] = (difflns_cell){c->tasks[i][0], c->tasks[i][1]};
        goals[i] = (difflns_cell){c->tasks[i][2], c->tasks[i][3]};
    }
    return difflns_instance_create(height, width, blocked, c->agents, starts, goals, out, NULL);
}

static dl_status judge(const difflns_instance *instance, const difflns_plan *plan, dl_status status)
{
    faults_pause();
    bool valid = plan && dl_check_valid(instance, plan);
    faults_resume();
    return (status == DIFFLNS_OK) == valid && (valid || !plan) ? status : DIFFLNS_INTERNAL;
}

static dl_status solve(void *user)
{
    const solve_case *c = user;
    difflns_instance *instance;
    dl_status status = make(c, &instance);
    if (status != DIFFLNS_OK) return status;
    difflns_options options = c->options;
    difflns_plan *plan;
    difflns_report report;
    status = judge(instance, plan, difflns_solve(instance, &options, &plan, &report, NULL));
    difflns_report_free(&report);
    difflns_plan_free(plan);
    difflns_instance_free(instance);
    return status;
}

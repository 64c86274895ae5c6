/* The solver itself: a small world from the bytes, solved from any start, against a search over joint states. Solved
 * exactly if there is a plan, and the plan is one. */
#include <stdio.h>
#include <string.h>

#include "../model/world.h"
#include "difflns.h"
#include "fuzz.h"

const bool FUZZ_WITHOUT_MEMORY = false; /* tests/faults lets a solve run out of it */

enum { MOST_HEIGHT = 4, MOST_WIDTH = 5, ITERATIONS = 60 };

/* Bytes one after the other; behind the end all are 0. */
typedef struct reader {
    const uint8_t *data;
    size_t size, at;
} reader;

static int draw(reader *r, int n)
{
    return (r->at < r->size ? r->data[r->at++] : 0) % n;
}

/* Distinct free cells, one an agent. */
static void draw_cells(reader *r, const grid *g, int agents, difflns_cell *out)
{
    difflns_cell left[MOST_CELLS];
    int count = 0;
    for (int i = 0; i < g->height * g->width; i++)
        if (!g->blocked[i]) left[count++] = (difflns_cell){i / g->width, i % g->width};
    for (int agent = 0; agent < agents; agent++) {
        int pick = draw(r, count);
        out[agent] = left[pick];
        left[pick] = left[--count];
    }
}

/* False if the world has nobody in it or too many joint states. */
static bool draw_tasks(reader *r, tasks *t)
{
    t->grid = (grid){.height = 1 + draw(r, MOST_HEIGHT), .width = 1 + draw(r, MOST_WIDTH)};
    int area = t->grid.height * t->grid.width, free_cells = 0;
    for (int i = 0; i < area; i++) free_cells += !(t->grid.blocked[i] = draw(r, 4) == 3);
    if (free_cells == 0) return false;
    t->agents = 1 + draw(r, free_cells < MOST_AGENTS ? free_cells : MOST_AGENTS);
    while (!joint_search_is_small(t)) t->agents--;
    draw_cells(r, &t->grid, t->agents, t->start);
    draw_cells(r, &t->grid, t->agents, t->goal);
    return true;
}

static bool plan_is_valid(const tasks *t, const difflns_plan *plan)
{
    int times = difflns_plan_makespan(plan) + 1;
    difflns_cell(*at)[MOST_AGENTS] = calloc((size_t)times, sizeof *at);
    paths p = {.agents = t->agents, .times = times, .at = at};
    MUST(at && difflns_plan_agents(plan) == t->agents);
    for (int time = 0; time < times; time++)
        for (int agent = 0; agent < t->agents; agent++) at[time][agent] = difflns_plan_at(plan, agent, time);
    bool is_valid = valid(t, &p);
    free(at);
    return is_valid;
}

static difflns_status solve(reader *r, const tasks *t, difflns_plan **plan)
{
    static const char *const INIT[] = {"auto", "pp", "pibt", "slack", "paths", "lacam", "traffic"};
    static const char *const STOP[] = {"first", "settled", "limit"};
    difflns_instance *instance;
    difflns_solver *solver;
    MUST(difflns_instance_create(t->grid.height, t->grid.width, t->grid.blocked, t->agents, t->start, t->goal,
                                 &instance, NULL) == DIFFLNS_OK);
    MUST(difflns_solver_create(&solver, NULL) == DIFFLNS_OK);
    MUST(difflns_solver_set(solver, "init", INIT[draw(r, 7)], NULL) == DIFFLNS_OK);
    MUST(difflns_solver_set(solver, "stop", STOP[draw(r, 3)], NULL) == DIFFLNS_OK);
    MUST(difflns_solver_set_number(solver, "neighbors", 1 + draw(r, 8), NULL) == DIFFLNS_OK);
    MUST(difflns_solver_set_number(solver, "threads", 1 + draw(r, 2), NULL) == DIFFLNS_OK);
    MUST(difflns_solver_set_number(solver, "seed", draw(r, 256), NULL) == DIFFLNS_OK);
    MUST(difflns_solver_set_number(solver, "iterations", 1 + draw(r, ITERATIONS), NULL) == DIFFLNS_OK);
    difflns_status status = difflns_solver_solve(solver, instance, plan, NULL);
    difflns_solver_free(solver);
    difflns_instance_free(instance);
    return status;
}

void fuzz_one(const uint8_t *data, size_t size)
{
    reader r = {data, size, 0};
    tasks t = {0};
    if (!draw_tasks(&r, &t)) return;
    difflns_plan *plan = NULL;
    difflns_status status = solve(&r, &t, &plan);
    MUST(status == (joint_search(&t) ? DIFFLNS_OK : DIFFLNS_UNSOLVABLE));
    MUST((status == DIFFLNS_OK) == (plan != NULL));
    if (plan) MUST(plan_is_valid(&t, plan));
    difflns_plan_free(plan);
}

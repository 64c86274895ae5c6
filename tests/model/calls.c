#include "calls.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { MAPS = 2, INSTANCES = 3, PLANS = 3, FLEETS = 2, GOALS = 16 };

typedef struct fleet_model {
    difflns_fleet *handle;
    grid grid;
    int robots;
    int number[MOST_AGENTS]; /* what the library calls it */
    difflns_cell at[MOST_AGENTS];
} fleet_model;

/* Everything alive, each with what it should be. */
typedef struct state {
    struct {
        difflns_map *handle;
        grid grid;
    } map[MAPS];
    struct {
        difflns_instance *handle;
        tasks tasks;
    } instance[INSTANCES];
    struct {
        difflns_plan *handle;
        paths paths;
        tasks tasks;
    } plan[PLANS];
    fleet_model fleet[FLEETS];
    difflns_solver *solver;
    uint64_t random;
    FILE *aloud;
} state;

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                     \
            fflush(stdout);                                                                                            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define SAY(s, ...)                                                                                                    \
    do {                                                                                                               \
        if ((s)->aloud) {                                                                                              \
            fprintf((s)->aloud, __VA_ARGS__);                                                                          \
            fflush((s)->aloud);                                                                                        \
        }                                                                                                              \
    } while (0)

/* ---- Maps */

static void create_map(state *s)
{
    int slot = below(&s->random, MAPS);
    grid g = {.height = 1 + below(&s->random, MOST_SIDE), .width = 1 + below(&s->random, MOST_SIDE)};
    int density = below(&s->random, 45);
    for (int i = 0; i < g.height * g.width; i++) g.blocked[i] = below(&s->random, 100) < density;
    SAY(s, "map %d: create %dx%d\n", slot, g.height, g.width);
    difflns_map *made = NULL;
    difflns_error err;
    EXPECT(difflns_map_create(0, g.width, g.blocked, &made, &err) == DIFFLNS_BAD_INPUT && !made);
    EXPECT(difflns_map_create(g.height, 5000, g.blocked, &made, &err) == DIFFLNS_BAD_INPUT && !made);
    EXPECT(difflns_map_create(g.height, g.width, g.blocked, &made, &err) == DIFFLNS_OK);
    int cells = 0;
    for (int i = 0; i < g.height * g.width; i++) cells += !g.blocked[i];
    difflns_map_free(s->map[slot].handle);
    s->map[slot].handle = made;
    s->map[slot].grid = g;
    EXPECT(difflns_map_free_cells(made) == cells);
}

static void free_map(state *s)
{
    int slot = below(&s->random, MAPS);
    SAY(s, "map %d: free\n", slot);
    difflns_map_free(s->map[slot].handle); /* its instances and fleets live on */
    s->map[slot].handle = NULL;
}

static void ask_distances(state *s)
{
    int slot = below(&s->random, MAPS);
    if (!s->map[slot].handle) return;
    SAY(s, "map %d: distances\n", slot);
    const grid *g = &s->map[slot].grid;
    if (below(&s->random, 3) == 0)
        EXPECT(difflns_map_limit_memory(s->map[slot].handle, (size_t)below(&s->random, 4096), NULL) == DIFFLNS_OK);
    for (int i = 0; i < 6; i++) {
        difflns_cell from = random_cell(&s->random, g), to = random_cell(&s->random, g);
        EXPECT(difflns_map_distance(s->map[slot].handle, from, to) == distance(g, from, to));
    }
    difflns_cell outside = {g->height, 0};
    EXPECT(difflns_map_distance(s->map[slot].handle, outside, outside) == -1);
}

static void print_map(state *s)
{
    int slot = below(&s->random, MAPS);
    if (!s->map[slot].handle) return;
    SAY(s, "map %d: print and parse\n", slot);
    const grid *g = &s->map[slot].grid;
    char *text;
    size_t size;
    difflns_map *again, *half;
    EXPECT(difflns_map_print(s->map[slot].handle, &text, &size, NULL) == DIFFLNS_OK);
    EXPECT(difflns_map_parse(text, size, NULL, &again, NULL) == DIFFLNS_OK);
    EXPECT(difflns_map_parse(text, size / 2, NULL, &half, NULL) == DIFFLNS_BAD_INPUT && !half);
    for (int row = -1; row <= g->height; row++)
        for (int col = -1; col <= g->width; col++)
            EXPECT(!difflns_map_blocked(again, row, col) == is_free(g, (difflns_cell){row, col}));
    difflns_map_free(again);
    difflns_text_free(text);
}

/* ---- Instances */

static bool tasks_are_legal(const tasks *t)
{
    for (int i = 0; i < t->agents; i++) {
        if (!is_free(&t->grid, t->start[i]) || !is_free(&t->grid, t->goal[i])) return false;
        for (int j = 0; j < i; j++)
            if (same_cell(t->start[i], t->start[j]) || same_cell(t->goal[i], t->goal[j])) return false;
    }
    return true;
}

/* Mostly legal: free cells that are not taken yet, where there are any left. */
static void draw_tasks(state *s, tasks *t)
{
    t->agents = 1 + below(&s->random, below(&s->random, 2) ? 3 : MOST_AGENTS);
    for (int i = 0; i < t->agents; i++)
        for (int tries = 0; tries < 60; tries++) {
            bool taken = false;
            t->start[i] = random_cell(&s->random, &t->grid);
            t->goal[i] = random_cell(&s->random, &t->grid);
            for (int j = 0; j < i; j++)
                taken |= same_cell(t->start[i], t->start[j]) || same_cell(t->goal[i], t->goal[j]);
            if (!taken && is_free(&t->grid, t->start[i]) && is_free(&t->grid, t->goal[i])) break;
        }
}

static void create_instance(state *s)
{
    int map = below(&s->random, MAPS), slot = below(&s->random, INSTANCES);
    if (!s->map[map].handle) return;
    tasks t = {.grid = s->map[map].grid};
    draw_tasks(s, &t);
    SAY(s, "instance %d: %d agents on map %d\n", slot, t.agents, map);
    difflns_instance *made = NULL;
    difflns_error err = {0};
    difflns_status status = difflns_instance_create_on(s->map[map].handle, t.agents, t.start, t.goal, &made, &err);
    EXPECT(status == (tasks_are_legal(&t) ? DIFFLNS_OK : DIFFLNS_BAD_INPUT));
    EXPECT((status == DIFFLNS_OK) == (made != NULL));
    EXPECT(status == DIFFLNS_OK || err.message[0]);
    if (!made) return;
    difflns_instance_free(s->instance[slot].handle);
    s->instance[slot].handle = made;
    s->instance[slot].tasks = t;
    int64_t sum = 0;
    for (int i = 0; i < t.agents && sum >= 0; i++) {
        int steps = distance(&t.grid, t.start[i], t.goal[i]);
        sum = steps < 0 ? -1 : sum + steps;
        EXPECT(same_cell(difflns_instance_start(made, i), t.start[i]));
        EXPECT(same_cell(difflns_instance_goal(made, i), t.goal[i]));
    }
    EXPECT(difflns_instance_sum_of_distances(made) == sum);
    EXPECT(difflns_instance_start(made, t.agents).row == -1 && difflns_instance_goal(made, -1).row == -1);
}

static void free_instance(state *s)
{
    int slot = below(&s->random, INSTANCES);
    SAY(s, "instance %d: free\n", slot);
    difflns_instance_free(s->instance[slot].handle);
    s->instance[slot].handle = NULL;
}

/* ---- Plans */

static void forget_plan(state *s, int slot)
{
    difflns_plan_free(s->plan[slot].handle);
    free(s->plan[slot].paths.at);
    s->plan[slot].handle = NULL;
    s->plan[slot].paths.at = NULL;
}

static void read_paths(const difflns_plan *plan, paths *p)
{
    p->agents = difflns_plan_agents(plan);
    p->times = difflns_plan_makespan(plan) + 1;
    EXPECT(p->agents >= 1 && p->agents <= MOST_AGENTS && p->times <= MOST_TIMES);
    p->at = calloc((size_t)p->times, sizeof *p->at);
    int32_t *flat = calloc((size_t)p->times * (size_t)p->agents, 2 * sizeof *flat);
    EXPECT(difflns_plan_positions(plan, 0, p->times, flat, NULL) == DIFFLNS_OK);
    for (int time = 0; time < p->times; time++)
        for (int i = 0; i < p->agents; i++) {
            p->at[time][i] = (difflns_cell){flat[2 * (time * p->agents + i)], flat[2 * (time * p->agents + i) + 1]};
            EXPECT(same_cell(p->at[time][i], difflns_plan_at(plan, i, time)));
        }
    free(flat);
}

static void compare_plan(const difflns_instance *instance, const tasks *t, const difflns_plan *plan, const paths *p)
{
    int64_t violations;
    EXPECT(difflns_plan_check(instance, plan, NULL, 0, &violations, NULL) == DIFFLNS_OK);
    EXPECT((violations == 0) == valid(t, p));
    EXPECT(difflns_plan_soc(plan) == soc(p) && difflns_plan_makespan(plan) == makespan(p));
    int safe;
    EXPECT(difflns_plan_safe_time(instance, plan, &safe, NULL) == DIFFLNS_OK);
    if (safe >= 0) EXPECT(valid_until(t, p, safe));
    /* A path that does not end on its goal is a violation of its last time. */
    if (safe < makespan(p)) EXPECT(!valid_until(t, p, safe + 1) || !valid(t, p));
}

static void change_plan(state *s)
{
    int slot = below(&s->random, PLANS);
    if (!s->plan[slot].handle) return;
    SAY(s, "plan %d: changed\n", slot);
    paths *p = &s->plan[slot].paths;
    const tasks *t = &s->plan[slot].tasks;
    for (int changes = 1 + below(&s->random, 3); changes > 0; changes--)
        p->at[below(&s->random, p->times)][below(&s->random, p->agents)] = random_cell(&s->random, &t->grid);
    int32_t *flat = calloc((size_t)p->times * (size_t)p->agents, 2 * sizeof *flat);
    for (int k = 0; k < p->times * p->agents; k++) {
        flat[2 * k] = p->at[k / p->agents][k % p->agents].row;
        flat[2 * k + 1] = p->at[k / p->agents][k % p->agents].col;
    }
    difflns_plan *made;
    EXPECT(difflns_plan_from_positions(p->agents, p->times, flat, &made, NULL) == DIFFLNS_OK);
    free(flat);
    difflns_plan_free(s->plan[slot].handle);
    s->plan[slot].handle = made;
    difflns_instance *instance;
    EXPECT(difflns_instance_create(t->grid.height, t->grid.width, t->grid.blocked, t->agents, t->start, t->goal,
                                   &instance, NULL) == DIFFLNS_OK);
    compare_plan(instance, t, made, p);
    difflns_instance_free(instance);
}

static void print_plan(state *s)
{
    int slot = below(&s->random, PLANS), format = below(&s->random, DIFFLNS_FORMAT_DEPENDENCIES);
    if (!s->plan[slot].handle) return;
    SAY(s, "plan %d: print and parse as %s\n", slot, difflns_format_name(format));
    const tasks *t = &s->plan[slot].tasks;
    difflns_instance *instance;
    EXPECT(difflns_instance_create(t->grid.height, t->grid.width, t->grid.blocked, t->agents, t->start, t->goal,
                                   &instance, NULL) == DIFFLNS_OK);
    char *text;
    size_t size;
    difflns_error err;
    difflns_status status =
        difflns_plan_print(instance, s->plan[slot].handle, (difflns_format)format, &text, &size, &err);
    /* A tracker's string can't jump. */
    EXPECT(status == DIFFLNS_OK || (format != DIFFLNS_FORMAT_JSON && status == DIFFLNS_BAD_INPUT));
    if (status == DIFFLNS_OK) {
        difflns_plan *again;
        paths p;
        EXPECT(difflns_plan_parse(instance, text, size, DIFFLNS_ORDER_ROWCOL, &again, &err) == DIFFLNS_OK);
        read_paths(again, &p);
        const paths *was = &s->plan[slot].paths;
        for (int time = 0; time < was->times; time++)
            for (int i = 0; i < was->agents; i++)
                EXPECT(same_cell(was->at[time][i], p.at[time < p.times ? time : p.times - 1][i]));
        free(p.at);
        difflns_plan_free(again);
        difflns_text_free(text);
    }
    difflns_instance_free(instance);
}

/* Random delays: nobody collides, and everybody arrives. */
static void execute_plan(state *s)
{
    int slot = below(&s->random, PLANS);
    if (!s->plan[slot].handle) return;
    SAY(s, "plan %d: executed with delays\n", slot);
    const tasks *t = &s->plan[slot].tasks;
    difflns_instance *instance;
    EXPECT(difflns_instance_create(t->grid.height, t->grid.width, t->grid.blocked, t->agents, t->start, t->goal,
                                   &instance, NULL) == DIFFLNS_OK);
    difflns_dependencies *order = NULL;
    difflns_status status = difflns_dependencies_create(instance, s->plan[slot].handle, &order, NULL);
    bool legal = valid_until(t, &s->plan[slot].paths, MOST_TIMES);
    EXPECT(status == (legal ? DIFFLNS_OK : DIFFLNS_BAD_INPUT));
    if (legal) {
        static difflns_cell way[MOST_AGENTS][MOST_TIMES];
        int32_t progress[MOST_AGENTS] = {0};
        int left = 0;
        for (int i = 0; i < t->agents; i++) {
            EXPECT(difflns_dependencies_path(order, i, way[i], MOST_TIMES, NULL) == DIFFLNS_OK);
            left += difflns_dependencies_steps(order, i);
        }
        for (int idle = 0; left > 0;) {
            uint8_t delayed[MOST_AGENTS] = {0}, may_step[MOST_AGENTS];
            for (int i = 0; i < t->agents && idle < 20; i++) delayed[i] = below(&s->random, 3) == 0;
            EXPECT(difflns_dependencies_next(order, progress, delayed, may_step, NULL) == DIFFLNS_OK);
            difflns_cell from[MOST_AGENTS], to[MOST_AGENTS];
            int moved = 0;
            for (int i = 0; i < t->agents; i++) {
                EXPECT(!(may_step[i] && delayed[i]));
                from[i] = way[i][progress[i]];
                progress[i] += may_step[i];
                moved += may_step[i];
                to[i] = way[i][progress[i]];
            }
            for (int i = 0; i < t->agents; i++)
                for (int j = 0; j < i; j++) {
                    EXPECT(!same_cell(to[i], to[j]));
                    EXPECT(!(same_cell(from[i], to[j]) && same_cell(from[j], to[i])));
                }
            idle = moved ? 0 : idle + 1;
            EXPECT(idle < 22);
            left -= moved;
        }
    }
    difflns_dependencies_free(order);
    difflns_instance_free(instance);
}

/* ---- Solving */

static void set_option(state *s)
{
    int option = below(&s->random, difflns_option_count());
    const char *name = difflns_option_name(option);
    char before[64], after[64], value[64];
    difflns_error err;
    EXPECT(difflns_solver_get(s->solver, name, before, sizeof before, &err) == DIFFLNS_OK);
    double least = 0, greatest = 0;
    bool bounded = difflns_option_bounds(option, &least, &greatest, &err) == DIFFLNS_OK;
    switch (below(&s->random, 4)) {
    case 0:
        snprintf(value, sizeof value, "nonsense");
        break;
    case 1:
        snprintf(value, sizeof value, "%.0f", greatest + 1);
        break;
    case 2:
        snprintf(value, sizeof value, "%.0f", least - 1);
        break;
    default:
        EXPECT(difflns_option_default(option, value, sizeof value, &err) == DIFFLNS_OK);
    }
    SAY(s, "solver: set %s to %s\n", name, value);
    difflns_status status = difflns_solver_set(s->solver, name, value, &err);
    EXPECT(status == DIFFLNS_OK || status == DIFFLNS_BAD_INPUT);
    EXPECT(difflns_solver_get(s->solver, name, after, sizeof after, &err) == DIFFLNS_OK);
    if (status != DIFFLNS_OK) EXPECT(strcmp(before, after) == 0);
    if (bounded && status == DIFFLNS_OK) EXPECT(atof(after) >= least && atof(after) <= greatest);
    EXPECT(difflns_solver_set(s->solver, name, after, &err) == DIFFLNS_OK);
    EXPECT(difflns_solver_get(s->solver, name, value, sizeof value, &err) == DIFFLNS_OK && strcmp(value, after) == 0);
    EXPECT(difflns_solver_set(s->solver, "no-such-option", "1", &err) == DIFFLNS_BAD_INPUT);
}

static void *stop_soon(void *solver)
{
    difflns_solver_stop(solver);
    return NULL;
}

typedef struct hearing {
    int64_t best;
    int finished;
} hearing;

static void hear(void *user, const difflns_event *event)
{
    hearing *h = user;
    difflns_event_type kind = difflns_event_kind(event);
    if (kind == DIFFLNS_EVENT_FINISHED) h->finished++;
    if (kind != DIFFLNS_EVENT_FIRST_PLAN && kind != DIFFLNS_EVENT_BETTER_PLAN) return;
    difflns_plan *plan;
    EXPECT(difflns_event_plan(event, &plan, NULL) == DIFFLNS_OK);
    EXPECT(h->best < 0 || difflns_plan_soc(plan) <= h->best);
    h->best = difflns_plan_soc(plan);
    difflns_plan_free(plan);
}

static void solve(state *s)
{
    static const char *const INITS[] = {"auto", "pp", "pibt", "slack", "paths", "traffic", "lacam"};
    static const char *const STOPS[] = {"first", "settled", "limit"};
    int from = below(&s->random, INSTANCES), slot = below(&s->random, PLANS);
    if (!s->instance[from].handle) return;
    const tasks *t = &s->instance[from].tasks;
    const char *init = INITS[below(&s->random, 7)], *stop = STOPS[below(&s->random, 3)];
    bool stopped = below(&s->random, 6) == 0;
    SAY(s, "solve instance %d from %s until %s%s\n", from, init, stop, stopped ? ", stopped" : "");
    difflns_error err;
    EXPECT(difflns_solver_set_number(s->solver, "iterations", 1 + below(&s->random, 200), &err) == DIFFLNS_OK);
    EXPECT(difflns_solver_set_number(s->solver, "threads", 1 + below(&s->random, 3), &err) == DIFFLNS_OK);
    EXPECT(difflns_solver_set_number(s->solver, "time", 20, &err) == DIFFLNS_OK);
    EXPECT(difflns_solver_set(s->solver, "init", init, &err) == DIFFLNS_OK);
    EXPECT(difflns_solver_set(s->solver, "stop", stop, &err) == DIFFLNS_OK);
    hearing h = {.best = -1};
    EXPECT(difflns_solver_set_listener(s->solver, hear, &h, &err) == DIFFLNS_OK);
    pthread_t thread;
    bool stopping = stopped && pthread_create(&thread, NULL, stop_soon, s->solver) == 0;
    difflns_plan *plan = NULL;
    difflns_status status = difflns_solver_solve(s->solver, s->instance[from].handle, &plan, &err);
    if (stopping) pthread_join(thread, NULL);
    EXPECT(status == DIFFLNS_OK || status == DIFFLNS_UNSOLVED || status == DIFFLNS_UNSOLVABLE ||
           (stopping && status == DIFFLNS_STOPPED));
    EXPECT(status != DIFFLNS_OK || plan);
    EXPECT(h.finished == 1);
    EXPECT(difflns_solver_report(s->solver));
    EXPECT(status == DIFFLNS_OK || status == DIFFLNS_STOPPED || difflns_solver_reason(s->solver)[0]);
    if (joint_search_is_small(t) && (status == DIFFLNS_OK || status == DIFFLNS_UNSOLVABLE))
        EXPECT(joint_search(t) == (status == DIFFLNS_OK));
    if (!plan) return;
    EXPECT(h.best < 0 || difflns_plan_soc(plan) == h.best);
    forget_plan(s, slot);
    s->plan[slot].handle = plan;
    s->plan[slot].tasks = *t;
    read_paths(plan, &s->plan[slot].paths);
    EXPECT(valid(t, &s->plan[slot].paths));
    compare_plan(s->instance[from].handle, t, plan, &s->plan[slot].paths);
    EXPECT(difflns_plan_soc(plan) >= difflns_instance_sum_of_distances(s->instance[from].handle));
}

/* ---- Fleets */

static void create_fleet(state *s)
{
    int map = below(&s->random, MAPS), slot = below(&s->random, FLEETS);
    if (!s->map[map].handle) return;
    SAY(s, "fleet %d: create on map %d\n", slot, map);
    fleet_model *f = &s->fleet[slot];
    difflns_fleet_free(f->handle);
    *f = (fleet_model){.grid = s->map[map].grid};
    EXPECT(difflns_fleet_create(s->map[map].handle, &f->handle, NULL) == DIFFLNS_OK);
    EXPECT(difflns_fleet_set_iterations(f->handle, below(&s->random, 40), NULL) == DIFFLNS_OK);
}

static int robot_on(const fleet_model *f, difflns_cell cell)
{
    for (int i = 0; i < f->robots; i++)
        if (same_cell(f->at[i], cell)) return i;
    return -1;
}

static fleet_model *some_fleet(state *s)
{
    fleet_model *f = &s->fleet[below(&s->random, FLEETS)];
    return f->handle ? f : NULL;
}

static void add_robot(state *s)
{
    fleet_model *f = some_fleet(s);
    if (!f || f->robots == MOST_AGENTS) return;
    difflns_cell cell = random_cell(&s->random, &f->grid);
    SAY(s, "fleet: add a robot on (%d,%d)\n", cell.row, cell.col);
    int number = -7;
    difflns_status status = difflns_fleet_add(f->handle, cell, &number, NULL);
    bool legal = is_free(&f->grid, cell) && robot_on(f, cell) < 0;
    EXPECT(status == (legal ? DIFFLNS_OK : DIFFLNS_BAD_INPUT));
    if (legal) {
        for (int i = 0; i < f->robots; i++) EXPECT(f->number[i] != number);
        f->number[f->robots] = number;
        f->at[f->robots++] = cell;
    }
    EXPECT(difflns_fleet_robots(f->handle) == f->robots);
}

static void remove_robot(state *s)
{
    fleet_model *f = some_fleet(s);
    if (!f || f->robots == 0) return;
    int robot = below(&s->random, f->robots);
    SAY(s, "fleet: remove robot %d\n", f->number[robot]);
    EXPECT(difflns_fleet_remove(f->handle, f->number[robot], NULL) == DIFFLNS_OK);
    EXPECT(difflns_fleet_remove(f->handle, f->number[robot], NULL) == DIFFLNS_BAD_INPUT);
    f->robots--;
    f->number[robot] = f->number[f->robots];
    f->at[robot] = f->at[f->robots];
}

static void add_goal(state *s)
{
    fleet_model *f = some_fleet(s);
    if (!f || f->robots == 0) return;
    int robot = below(&s->random, f->robots), before = difflns_fleet_goals(f->handle, f->number[robot]);
    difflns_cell goal = random_cell(&s->random, &f->grid);
    SAY(s, "fleet: robot %d to (%d,%d)\n", f->number[robot], goal.row, goal.col);
    bool legal = distance(&f->grid, f->at[robot], goal) >= 0;
    EXPECT(difflns_fleet_add_goal(f->handle, f->number[robot], goal, NULL) == (legal ? DIFFLNS_OK : DIFFLNS_BAD_INPUT));
    EXPECT(difflns_fleet_goals(f->handle, f->number[robot]) == before + legal);
    if (legal) EXPECT(same_cell(difflns_fleet_goal(f->handle, f->number[robot], before), goal));
    EXPECT(difflns_fleet_add_goal(f->handle, 9999, goal, NULL) == DIFFLNS_BAD_INPUT);
}

/* Plans and drives some ticks; in each, one robot may be late. */
static void drive(state *s)
{
    fleet_model *f = some_fleet(s);
    if (!f) return;
    int ticks = 1 + below(&s->random, 12);
    SAY(s, "fleet: %d ticks\n", ticks);
    for (int tick = 0; tick < ticks; tick++) {
        int64_t now = difflns_fleet_now(f->handle);
        if (below(&s->random, 8) > 0) EXPECT(difflns_fleet_plan(f->handle, below(&s->random, 3), NULL) == DIFFLNS_OK);
        difflns_cell to[MOST_AGENTS];
        for (int i = 0; i < f->robots; i++) {
            EXPECT(same_cell(difflns_fleet_at(f->handle, f->number[i]), f->at[i]));
            to[i] = difflns_fleet_next(f->handle, f->number[i]);
            EXPECT(is_free(&f->grid, to[i]));
            EXPECT(abs(to[i].row - f->at[i].row) + abs(to[i].col - f->at[i].col) <= 1);
            for (int j = 0; j < i; j++) {
                EXPECT(!same_cell(to[i], to[j]));
                EXPECT(!(same_cell(to[i], f->at[j]) && same_cell(to[j], f->at[i])));
            }
        }
        EXPECT(difflns_fleet_tick(f->handle, NULL) == DIFFLNS_OK);
        EXPECT(difflns_fleet_now(f->handle) == now + 1);
        if (f->robots > 0 && below(&s->random, 3) == 0) {
            int late = below(&s->random, f->robots);
            EXPECT(difflns_fleet_observe(f->handle, f->number[late], f->at[late], NULL) == DIFFLNS_OK);
        }
        difflns_cell outside = {-1, 0};
        if (f->robots > 0) EXPECT(difflns_fleet_observe(f->handle, f->number[0], outside, NULL) == DIFFLNS_BAD_INPUT);
        for (int i = 0; i < f->robots; i++) { /* who was held up is where it was, with everybody behind it */
            difflns_cell at = difflns_fleet_at(f->handle, f->number[i]);
            EXPECT(same_cell(at, to[i]) || same_cell(at, f->at[i]));
            to[i] = at;
            for (int j = 0; j < i; j++) EXPECT(!same_cell(to[i], to[j]));
        }
        memcpy(f->at, to, sizeof *to * (size_t)f->robots);
    }
}

static void hold_robot(state *s)
{
    fleet_model *f = some_fleet(s);
    if (!f || f->robots == 0) return;
    int robot = below(&s->random, f->robots);
    int64_t until = difflns_fleet_now(f->handle) + 1 + below(&s->random, 5);
    SAY(s, "fleet: hold robot %d\n", f->number[robot]);
    EXPECT(difflns_fleet_hold(f->handle, f->number[robot], until, NULL) == DIFFLNS_OK);
    EXPECT(same_cell(difflns_fleet_next(f->handle, f->number[robot]), f->at[robot]));
    EXPECT(difflns_fleet_plan(f->handle, 1, NULL) == DIFFLNS_OK);
    EXPECT(same_cell(difflns_fleet_next(f->handle, f->number[robot]), f->at[robot]));
    if (below(&s->random, 2)) EXPECT(difflns_fleet_clear_goals(f->handle, f->number[robot], NULL) == DIFFLNS_OK);
}

/* ---- Nothing at all */

static void pass_nothing(state *s)
{
    SAY(s, "NULL everywhere\n");
    difflns_error err;
    difflns_plan *plan = NULL;
    int64_t count;
    EXPECT(difflns_map_height(NULL) == -1 && difflns_instance_agents(NULL) == -1 && difflns_plan_soc(NULL) == -1);
    EXPECT(difflns_solver_solve(s->solver, NULL, &plan, &err) == DIFFLNS_BAD_INPUT && !plan);
    EXPECT(difflns_solver_solve(NULL, NULL, &plan, NULL) == DIFFLNS_BAD_INPUT);
    EXPECT(difflns_plan_check(NULL, NULL, NULL, 0, &count, &err) == DIFFLNS_BAD_INPUT);
    EXPECT(difflns_fleet_plan(NULL, 1, &err) == DIFFLNS_BAD_INPUT && difflns_fleet_robots(NULL) == -1);
    EXPECT(difflns_map_create(2, 2, NULL, NULL, NULL) == DIFFLNS_BAD_INPUT);
    difflns_solver_stop(NULL);
    difflns_solver_stop(s->solver); /* nothing is at work */
    difflns_plan_free(NULL);
    difflns_fleet_free(NULL);
    difflns_text_free(NULL);
}

/* ---- All of them */

typedef void kind_of_call(state *s);

/* Twice or more: more often. */
static kind_of_call *const KINDS[] = {
    create_map,      create_map,    free_map,     ask_distances, print_map, create_instance, create_instance,
    create_instance, free_instance, set_option,   solve,         solve,     solve,           change_plan,
    print_plan,      execute_plan,  create_fleet, add_robot,     add_robot, add_robot,       remove_robot,
    add_goal,        add_goal,      add_goal,     drive,         drive,     hold_robot,      pass_nothing};

void make_calls(const uint64_t *call, int count, FILE *aloud)
{
    static state s;
    s = (state){.aloud = aloud};
    EXPECT(difflns_solver_create(&s.solver, NULL) == DIFFLNS_OK);
    for (int i = 0; i < 4 && count > 0; i++) { /* something to work with */
        s.random = call[0] + (uint64_t)i;
        (i < 2 ? create_map : i == 2 ? create_instance : create_fleet)(&s);
    }
    for (int i = 0; i < count; i++) {
        s.random = call[i];
        KINDS[below(&s.random, (int)(sizeof KINDS / sizeof *KINDS))](&s);
    }
    for (int i = 0; i < PLANS; i++) forget_plan(&s, i);
    for (int i = 0; i < INSTANCES; i++) difflns_instance_free(s.instance[i].handle);
    for (int i = 0; i < FLEETS; i++) difflns_fleet_free(s.fleet[i].handle);
    for (int i = 0; i < MAPS; i++) difflns_map_free(s.map[i].handle);
    difflns_solver_free(s.solver);
}

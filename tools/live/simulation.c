#include "live/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/memory.h"
#include "base/rng.h"
#include "fleet/fleet.h"
#include "memory/need.h"

/* A clock that is read late by the system does not make a plan late. */
static const double GRACE_MS = 1;
enum { NOBODY = -1 };

typedef struct simulation {
    const dl_live_settings *settings;
    const dl_grid *grid;
    difflns_fleet *fleet;
    dl_live_run *run;
    dl_rng goals, delays;
    dl_cell *at, *next;  /* [robots] where they really are, and where they are sent */
    bool *halted;        /* [robots] does not move in this tick */
    int64_t *still;      /* [robots] ticks since it moved, or had no task */
    int64_t *under_way;  /* [robots] ticks since it got its goal or reached the one before */
    int32_t *now, *then; /* [cells] who is there before and after the tick */
    int due;             /* tasks of the file handed over or in `open` */
    int *open, opened;   /* tasks for any free robot, not given out yet */
    int *coming;         /* [robots] the next task of each; where few are revealed at a time */
    int *later;          /* [tasks] the task of the same robot after it */
} simulation;

static dl_cell random_cell(simulation *s, dl_rng *rng)
{
    int part = dl_grid_largest_component(s->grid);
    dl_cell cell;
    do {
        cell = (dl_cell)dl_rng_below(rng, (uint32_t)s->grid->cells);
    } while (s->grid->component[cell] != part);
    return cell;
}

static dl_status place_robots_as_told(simulation *s, dl_error *err)
{
    const difflns_cell *start = s->settings->tasks->start;
    for (int robot = 0; robot < s->settings->robots; robot++) {
        int number;
        s->at[robot] = dl_grid_cell(s->grid, start[robot].row, start[robot].col);
        DL_TRY(difflns_fleet_add(s->fleet, start[robot], &number, err));
    }
    return DIFFLNS_OK;
}

static dl_status place_robots(simulation *s, dl_error *err)
{
    if (s->settings->tasks && s->settings->tasks->start) return place_robots_as_told(s, err);
    dl_rng rng = dl_rng_stream(s->settings->seed, DL_PURPOSE('l', 's', 't', 'a'), 0);
    int robots = s->settings->robots, part = dl_grid_largest_component(s->grid);
    int room = part < 0 ? 0 : s->grid->component_size[part];
    if (robots > room)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%d robots: expected at most %d, the cells of the map's largest part",
                       robots, room);
    int32_t *cells = needed(DL_ARRAY(int32_t, room));
    int count = 0;
    for (dl_cell cell = 0; cell < s->grid->cells; cell++)
        if (s->grid->component[cell] == part) cells[count++] = cell;
    dl_rng_shuffle(&rng, cells, count);
    dl_status status = DIFFLNS_OK;
    for (int robot = 0; robot < robots && status == DIFFLNS_OK; robot++) {
        int number;
        s->at[robot] = cells[robot];
        status = difflns_fleet_add(s->fleet, dl_grid_position(s->grid, cells[robot]), &number, err);
    }
    free(cells);
    return status;
}

/* ---- Tasks ---- */

static dl_status give_goal(simulation *s, int64_t tick, int robot, difflns_cell goal, dl_error *err)
{
    dl_live_run *run = s->run;
    dl_cell cell = dl_grid_cell(s->grid, goal.row, goal.col);
    if (run->at) {
        need(DL_GROW(run->goal, run->goal_room, run->goals + 1));
        run->goal[run->goals++] = (dl_live_goal){tick, robot, cell};
    }
    if (difflns_fleet_goals(s->fleet, robot) == 0 && s->at[robot] == cell) run->tick[tick].reached++; /* it is there */
    return difflns_fleet_add_goal(s->fleet, robot, goal, err);
}

static bool is_free(const simulation *s, int robot)
{
    int goals = difflns_fleet_goals(s->fleet, robot);
    difflns_cell at = dl_grid_position(s->grid, s->at[robot]), goal = difflns_fleet_goal(s->fleet, robot, 0);
    return goals == 0 || (goals == 1 && at.row == goal.row && at.col == goal.col);
}

/* Nobody can bring the robot there. */
static dl_status take_goal_back(simulation *s, int robot, dl_error *err)
{
    dl_live_run *run = s->run;
    for (int i = run->goals - 1; i >= 0; i--) /* a page would wait for it to be reached */
        if (run->goal[i].robot == robot) {
            run->goals--;
            memmove(&run->goal[i], &run->goal[i + 1], sizeof *run->goal * (size_t)(run->goals - i));
            break;
        }
    run->taken_back++;
    s->under_way[robot] = 0;
    return difflns_fleet_clear_goals(s->fleet, robot, err);
}

static dl_status give_random_goals(simulation *s, int64_t tick, dl_error *err)
{
    for (int robot = 0; robot < s->settings->robots; robot++) {
        if (difflns_fleet_stuck(s->fleet, robot) > 0) DL_TRY(take_goal_back(s, robot, err));
        if (!is_free(s, robot)) continue;
        dl_cell goal = random_cell(s, &s->goals);
        if (goal == s->at[robot]) goal = random_cell(s, &s->goals); /* hardly ever twice */
        DL_TRY(give_goal(s, tick, robot, dl_grid_position(s->grid, goal), err));
    }
    return DIFFLNS_OK;
}

/* The free robot nearest to the goal, the first of equals. */
static int nearest_free(const simulation *s, difflns_cell goal)
{
    int best = NOBODY;
    int64_t least = INT64_MAX;
    for (int robot = 0; robot < s->settings->robots; robot++) {
        if (!is_free(s, robot)) continue;
        int64_t steps = difflns_map_distance(s->settings->map, dl_grid_position(s->grid, s->at[robot]), goal);
        if (steps < 0 || steps >= least) continue;
        best = robot;
        least = steps;
    }
    return best;
}

/* Lists each robot's tasks in order. */
static void line_up_tasks(simulation *s)
{
    const dl_live_tasks *tasks = s->settings->tasks;
    s->coming = needed(dl_malloc(sizeof *s->coming * (size_t)s->settings->robots));
    s->later = needed(dl_malloc(sizeof *s->later * (size_t)tasks->count));
    for (int robot = 0; robot < s->settings->robots; robot++) s->coming[robot] = NOBODY;
    for (int i = tasks->count - 1; i >= 0; i--) {
        s->later[i] = s->coming[tasks->task[i].robot];
        s->coming[tasks->task[i].robot] = i;
    }
}

static dl_status reveal_tasks(simulation *s, int64_t tick, dl_error *err)
{
    if (!s->coming) line_up_tasks(s);
    for (int robot = 0; robot < s->settings->robots; robot++)
        for (int i; (i = s->coming[robot]) != NOBODY; s->coming[robot] = s->later[i]) {
            int known = difflns_fleet_goals(s->fleet, robot);
            difflns_cell at = dl_grid_position(s->grid, s->at[robot]), goal = difflns_fleet_goal(s->fleet, robot, 0);
            known -= at.row == goal.row && at.col == goal.col; /* it is there */
            if (known >= s->settings->tasks->reveal) break;
            DL_TRY(give_goal(s, tick, robot, s->settings->tasks->task[i].goal, err));
        }
    return DIFFLNS_OK;
}

static dl_status give_tasks(simulation *s, int64_t tick, dl_error *err)
{
    const dl_live_tasks *tasks = s->settings->tasks;
    if (tasks->reveal > 0) return reveal_tasks(s, tick, err);
    for (; s->due < tasks->count && tasks->task[s->due].tick <= tick; s->due++) {
        const dl_live_task *task = &tasks->task[s->due];
        if (task->robot == DL_ANY_ROBOT)
            s->open[s->opened++] = s->due;
        else
            DL_TRY(give_goal(s, tick, task->robot, task->goal, err));
    }
    int left = 0;
    for (int i = 0; i < s->opened; i++) {
        difflns_cell goal = tasks->task[s->open[i]].goal;
        int robot = nearest_free(s, goal);
        if (robot == NOBODY)
            s->open[left++] = s->open[i];
        else
            DL_TRY(give_goal(s, tick, robot, goal, err));
    }
    s->opened = left;
    return DIFFLNS_OK;
}

/* ---- What happens in a tick ---- */

/* Robots fail to move at random, and with them all who would enter a cell that is not left. */
static void draw_delays(simulation *s, dl_live_tick *tick)
{
    int robots = s->settings->robots;
    for (int robot = 0; robot < robots; robot++) {
        difflns_cell next = difflns_fleet_next(s->fleet, robot);
        s->next[robot] = dl_grid_cell(s->grid, next.row, next.col);
        s->halted[robot] = dl_rng_unit(&s->delays) < s->settings->delay || s->next[robot] == s->at[robot];
        tick->delayed -= s->next[robot] == s->at[robot]; /* it did not want to */
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int robot = 0; robot < robots; robot++) {
            if (s->halted[robot]) continue;
            int ahead = s->now[s->next[robot]];
            if (ahead == NOBODY || !s->halted[ahead]) continue;
            s->halted[robot] = changed = true;
        }
    }
    for (int robot = 0; robot < robots; robot++) tick->delayed += s->halted[robot];
}

/* Moves everybody, and counts collisions from the positions alone. */
static void move(simulation *s, dl_live_tick *tick)
{
    int robots = s->settings->robots;
    int64_t collisions = 0;
    for (int robot = 0; robot < robots; robot++) {
        dl_cell to = s->halted[robot] ? s->at[robot] : s->next[robot];
        collisions += s->then[to] != NOBODY;
        s->then[to] = robot;
        tick->moved += to != s->at[robot];
    }
    for (int robot = 0; robot < robots; robot++) {
        dl_cell to = s->halted[robot] ? s->at[robot] : s->next[robot];
        int other = s->now[to];
        if (other > robot && !s->halted[other] && s->next[other] == s->at[robot] && to != s->at[robot]) collisions++;
    }
    for (int robot = 0; robot < robots; robot++) s->now[s->at[robot]] = NOBODY;
    for (int robot = 0; robot < robots; robot++) {
        s->still[robot] = s->halted[robot] && difflns_fleet_goals(s->fleet, robot) > 0 ? s->still[robot] + 1 : 0;
        if (s->still[robot] > s->run->longest_still) s->run->longest_still = s->still[robot];
        if (!s->halted[robot]) s->at[robot] = s->next[robot];
    }
    for (int robot = 0; robot < robots; robot++) {
        s->now[s->at[robot]] = robot;
        s->then[s->at[robot]] = NOBODY;
    }
    s->run->collisions += collisions;
}

/* Counts a goal that the robot stands on, and how long it has been on its way to one that it does not. */
static void look_for_goal(simulation *s, int robot, dl_live_tick *tick)
{
    difflns_cell at = dl_grid_position(s->grid, s->at[robot]), goal = difflns_fleet_goal(s->fleet, robot, 0);
    bool reached = goal.row == at.row && goal.col == at.col;
    tick->reached += reached;
    s->under_way[robot] = difflns_fleet_goals(s->fleet, robot) > 0 ? s->under_way[robot] + 1 : 0;
    if (s->under_way[robot] > s->run->longest_task) s->run->longest_task = s->under_way[robot];
    if (reached) s->under_way[robot] = 0;
}

static dl_status pass_tick(simulation *s, int64_t number, dl_error *err)
{
    const dl_live_settings *settings = s->settings;
    dl_live_tick *tick = &s->run->tick[number];
    DL_TRY(settings->tasks ? give_tasks(s, number, err) : give_random_goals(s, number, err));
    double began = dl_now(), cpu_began = dl_thread_now();
    DL_TRY(difflns_fleet_plan(s->fleet, settings->iterations < 0 ? settings->deadline : INFINITY, err));
    tick->plan_ms = 1e3 * (dl_now() - began);
    tick->cpu_ms = 1e3 * (dl_thread_now() - cpu_began);
    s->run->late += settings->iterations < 0 && tick->plan_ms > settings->deadline + GRACE_MS;
    s->run->escorted += s->fleet->escorted != DL_NO_ROBOT;
    draw_delays(s, tick);
    move(s, tick);
    DL_TRY(difflns_fleet_tick(s->fleet, err));
    for (int robot = 0; robot < settings->robots; robot++) {
        if (s->next[robot] != s->at[robot])
            DL_TRY(difflns_fleet_observe(s->fleet, robot, dl_grid_position(s->grid, s->at[robot]), err));
        look_for_goal(s, robot, tick);
        if (s->run->at) s->run->at[(size_t)(number + 1) * (size_t)settings->robots + (size_t)robot] = s->at[robot];
    }
    s->run->reached += tick->reached;
    return DIFFLNS_OK;
}

/* ---- The run ---- */

static void open_simulation(simulation *s, bool keep)
{
    int robots = s->settings->robots;
    dl_live_run *run = s->run;
    s->at = needed(DL_ARRAY(dl_cell, robots));
    s->next = needed(DL_ARRAY(dl_cell, robots));
    s->halted = needed(DL_ARRAY(bool, robots));
    s->still = needed(DL_ARRAY(int64_t, robots));
    s->under_way = needed(DL_ARRAY(int64_t, robots));
    s->now = needed(dl_malloc(sizeof *s->now * (size_t)s->grid->cells));
    s->then = needed(dl_malloc(sizeof *s->then * (size_t)s->grid->cells));
    memset(s->now, 0xFF, sizeof *s->now * (size_t)s->grid->cells);
    memset(s->then, 0xFF, sizeof *s->then * (size_t)s->grid->cells);
    s->open = needed(DL_ARRAY(int, s->settings->tasks ? s->settings->tasks->count : 0));
    s->goals = dl_rng_stream(s->settings->seed, DL_PURPOSE('l', 'g', 'o', 'a'), 0);
    s->delays = dl_rng_stream(s->settings->seed, DL_PURPOSE('l', 'd', 'e', 'l'), 0);
    run->robots = robots;
    run->tick = needed(DL_ARRAY(dl_live_tick, s->settings->ticks));
    if (keep) run->at = needed(DL_ARRAY(dl_cell, (size_t)(s->settings->ticks + 1) * (size_t)robots));
}

static void close_simulation(simulation *s)
{
    free(s->at);
    free(s->next);
    free(s->halted);
    free(s->still);
    free(s->under_way);
    free(s->now);
    free(s->then);
    free(s->open);
    free(s->coming);
    free(s->later);
    difflns_fleet_free(s->fleet);
}

static dl_status simulate(simulation *s, const dl_progress *progress, dl_error *err)
{
    const dl_live_settings *settings = s->settings;
    DL_TRY(difflns_fleet_create(settings->map, &s->fleet, err));
    DL_TRY(difflns_fleet_set_window(s->fleet, settings->window, err));
    DL_TRY(difflns_fleet_set_seed(s->fleet, settings->seed, err));
    DL_TRY(difflns_fleet_set_iterations(s->fleet, settings->iterations, err));
    s->run->window = s->fleet->window.steps;
    if (settings->guidance) DL_TRY(difflns_fleet_set_guidance(s->fleet, settings->guidance, err));
    DL_TRY(place_robots(s, err));
    for (int robot = 0; robot < settings->robots; robot++) {
        s->now[s->at[robot]] = robot;
        if (s->run->at) s->run->at[robot] = s->at[robot];
    }
    for (int64_t tick = 0; tick < settings->ticks; tick++) {
        if (settings->stop && atomic_load(settings->stop)) break;
        DL_TRY(pass_tick(s, tick, err));
        s->run->ticks = tick + 1;
        dl_progress_report(progress, (uint64_t)tick + 1, (uint64_t)settings->ticks, "");
    }
    for (int robot = 0; robot < settings->robots; robot++)
        s->run->never_reached += s->under_way[robot] > 0 && s->fleet->robot[robot].reached == 0;
    return DIFFLNS_OK;
}

dl_status dl_live_simulate(const dl_live_settings *settings, bool keep, const dl_progress *progress, dl_live_run *run,
                           dl_error *err)
{
    *run = (dl_live_run){0};
    simulation s = {.settings = settings, .grid = dl_map_grid(settings->map), .run = run};
    open_simulation(&s, keep);
    dl_status status = simulate(&s, progress, err);
    close_simulation(&s);
    return status;
}

void dl_live_run_free(dl_live_run *run)
{
    free(run->tick);
    free(run->at);
    free(run->goal);
    *run = (dl_live_run){0};
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double dl_live_percentile(const dl_live_run *run, dl_live_clock clock, double share)
{
    if (run->ticks == 0) return 0;
    double *times = needed(DL_ARRAY(double, run->ticks));
    for (int64_t i = 0; i < run->ticks; i++)
        times[i] = clock == DL_LIVE_WALL ? run->tick[i].plan_ms : run->tick[i].cpu_ms;
    qsort(times, (size_t)run->ticks, sizeof *times, by_size);
    double time = times[(int64_t)(share * (double)(run->ticks - 1) + 0.5)];
    free(times);
    return time;
}

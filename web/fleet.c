/* A fleet for the playground's worker (worker.js): the library's fleet on the map that is drawn, robots with random
 * goals, and a small world in which robots are late or broken. */
#include <difflns.h>
#include <emscripten.h>
#include <stdlib.h>

#include "base/deadline.h"
#include "base/rng.h"

enum { NOBODY = -1 };
/* A random cell is a goal if the robot can get there; after so many that are not it goes without for a tick. */
enum { MOST_GOALS_TRIED = 64 };
/* What the page draws of a robot's plan, in steps ahead. */
enum { STEPS_AHEAD = 12 };
/* Of each robot: row, col, its goal's row and col (-1: none), whether it is broken, then the cells ahead. */
enum { ROBOT_NUMBERS = 5 + 2 * STEPS_AHEAD };
/* A broken robot is held for so many ticks from each tick on. */
static const int64_t HOLD_TICKS = 1000;

typedef struct yard {
    difflns_map *map;
    difflns_fleet *fleet;
    int height, width, robots;
    dl_rng goals, delays;
    difflns_cell *at, *next; /* [robots] where they really are, and where they are sent */
    uint8_t *halted;         /* [robots] does not move in this tick */
    uint8_t *broken;         /* [robots] */
    int32_t *there;          /* [cells] who is there, row by row */
    int32_t *told;           /* [robots][ROBOT_NUMBERS] for the page */
    double reached, took;    /* goals so far; seconds that the last plan took */
    difflns_error err;
} yard;

EMSCRIPTEN_KEEPALIVE void fleet_close(yard *y)
{
    if (!y) return;
    difflns_fleet_free(y->fleet);
    difflns_map_free(y->map);
    free(y->at);
    free(y->next);
    free(y->halted);
    free(y->broken);
    free(y->there);
    free(y->told);
    free(y);
}

EMSCRIPTEN_KEEPALIVE const char *fleet_message(const yard *y)
{
    return y ? y->err.message : "out of memory";
}

static int32_t *robot_at(yard *y, difflns_cell cell)
{
    return &y->there[cell.row * y->width + cell.col];
}

static int allocate_yard(yard *y)
{
    size_t robots = (size_t)y->robots, cells = (size_t)y->height * (size_t)y->width;
    y->at = calloc(robots + 1, sizeof *y->at);
    y->next = calloc(robots + 1, sizeof *y->next);
    y->halted = calloc(robots + 1, 1);
    y->broken = calloc(robots + 1, 1);
    y->there = malloc(sizeof *y->there * cells);
    y->told = calloc((robots + 1) * ROBOT_NUMBERS, sizeof *y->told);
    if (!y->at || !y->next || !y->halted || !y->broken || !y->there || !y->told) return DIFFLNS_OUT_OF_MEMORY;
    for (size_t i = 0; i < cells; i++) y->there[i] = NOBODY;
    return DIFFLNS_OK;
}

static int place_robots(yard *y, const difflns_cell *at, const difflns_cell *goals)
{
    for (int robot = 0; robot < y->robots; robot++) {
        int number;
        int status = (int)difflns_fleet_add(y->fleet, at[robot], &number, &y->err);
        if (status != DIFFLNS_OK) return status;
        y->at[robot] = at[robot];
        *robot_at(y, at[robot]) = robot;
        difflns_error refused; /* a wall may be in the way now: then it gets another one */
        if (goals[robot].row >= 0) difflns_fleet_add_goal(y->fleet, robot, goals[robot], &refused);
    }
    return DIFFLNS_OK;
}

/* Robots on their cells, with the goals they had (row -1: none). Check fleet_status before anything else. */
EMSCRIPTEN_KEEPALIVE yard *fleet_open(int height, int width, const uint8_t *blocked, int robots, const difflns_cell *at,
                                      const difflns_cell *goals, double seed)
{
    yard *y = calloc(1, sizeof *y);
    if (!y) return NULL;
    y->height = height;
    y->width = width;
    y->robots = robots;
    y->goals = dl_rng_stream((uint64_t)seed, DL_PURPOSE('w', 'g', 'o', 'a'), 0);
    y->delays = dl_rng_stream((uint64_t)seed, DL_PURPOSE('w', 'd', 'e', 'l'), 0);
    int status = (int)difflns_map_create(height, width, blocked, &y->map, &y->err);
    if (status == DIFFLNS_OK) status = (int)difflns_fleet_create(y->map, &y->fleet, &y->err);
    if (status == DIFFLNS_OK) status = allocate_yard(y);
    if (status == DIFFLNS_OK) status = place_robots(y, at, goals);
    y->err.status = (difflns_status)status;
    return y;
}

EMSCRIPTEN_KEEPALIVE int fleet_status(const yard *y)
{
    return y ? (int)y->err.status : DIFFLNS_OUT_OF_MEMORY;
}

EMSCRIPTEN_KEEPALIVE void fleet_break(yard *y, int robot, int broken)
{
    if (y && robot >= 0 && robot < y->robots) y->broken[robot] = broken != 0;
}

/* ---- A tick ---- */

static int is_same(difflns_cell a, difflns_cell b)
{
    return a.row == b.row && a.col == b.col;
}

/* Without a goal, or on the last one, or stuck before it. */
static int wants_goal(yard *y, int robot)
{
    if (difflns_fleet_stuck(y->fleet, robot) > 0) difflns_fleet_clear_goals(y->fleet, robot, &y->err);
    int goals = difflns_fleet_goals(y->fleet, robot);
    return goals == 0 || (goals == 1 && is_same(difflns_fleet_goal(y->fleet, robot, 0), y->at[robot]));
}

static void give_goal(yard *y, int robot)
{
    for (int tries = 0; tries < MOST_GOALS_TRIED; tries++) {
        difflns_cell goal = {(int32_t)dl_rng_below(&y->goals, (uint32_t)y->height),
                             (int32_t)dl_rng_below(&y->goals, (uint32_t)y->width)};
        if (difflns_map_blocked(y->map, goal.row, goal.col) || is_same(goal, y->at[robot])) continue;
        if (difflns_fleet_add_goal(y->fleet, robot, goal, &y->err) == DIFFLNS_OK) return;
    }
}

/* Broken robots and some at random don't move, and with them all that would enter a cell that is not left. */
static void draw_delays(yard *y, double delay)
{
    for (int robot = 0; robot < y->robots; robot++) {
        y->next[robot] = difflns_fleet_next(y->fleet, robot);
        y->halted[robot] = y->broken[robot] || dl_rng_unit(&y->delays) < delay || is_same(y->next[robot], y->at[robot]);
    }
    for (int changed = 1; changed;) {
        changed = 0;
        for (int robot = 0; robot < y->robots; robot++) {
            if (y->halted[robot]) continue;
            int ahead = *robot_at(y, y->next[robot]);
            if (ahead == NOBODY || !y->halted[ahead]) continue;
            y->halted[robot] = 1;
            changed = 1;
        }
    }
}

/* Moves the robots that move, and tells the fleet which ones did not. */
static int move_robots(yard *y)
{
    int status = (int)difflns_fleet_tick(y->fleet, &y->err);
    for (int robot = 0; robot < y->robots; robot++) *robot_at(y, y->at[robot]) = NOBODY;
    for (int robot = 0; robot < y->robots; robot++) {
        int late = y->halted[robot] && !is_same(y->next[robot], y->at[robot]);
        if (!y->halted[robot]) y->at[robot] = y->next[robot];
        *robot_at(y, y->at[robot]) = robot;
        if (status == DIFFLNS_OK && late) status = (int)difflns_fleet_observe(y->fleet, robot, y->at[robot], &y->err);
        y->reached += is_same(difflns_fleet_goal(y->fleet, robot, 0), y->at[robot]);
    }
    return status;
}

/* One tick: goals, a plan of at most so many milliseconds, delays with a probability, moves. */
EMSCRIPTEN_KEEPALIVE int fleet_tick(yard *y, double milliseconds, double delay)
{
    int64_t now = difflns_fleet_now(y->fleet);
    for (int robot = 0; robot < y->robots; robot++) {
        if (wants_goal(y, robot)) give_goal(y, robot);
        difflns_fleet_hold(y->fleet, robot, y->broken[robot] ? now + HOLD_TICKS : now, &y->err);
    }
    double began = dl_now();
    int status = (int)difflns_fleet_plan(y->fleet, milliseconds, &y->err);
    y->took = dl_now() - began;
    if (status != DIFFLNS_OK) return status;
    draw_delays(y, delay);
    return move_robots(y);
}

/* ---- For the page ---- */

/* [robots][ROBOT_NUMBERS], valid until the next call. */
EMSCRIPTEN_KEEPALIVE const int32_t *fleet_look(yard *y)
{
    for (int robot = 0; robot < y->robots; robot++) {
        int32_t *told = &y->told[(size_t)robot * ROBOT_NUMBERS];
        difflns_cell goal = difflns_fleet_goal(y->fleet, robot, 0);
        told[0] = y->at[robot].row;
        told[1] = y->at[robot].col;
        told[2] = goal.row;
        told[3] = goal.col;
        told[4] = y->broken[robot];
        for (int step = 0; step < STEPS_AHEAD; step++) {
            difflns_cell ahead = difflns_fleet_ahead(y->fleet, robot, step + 1);
            told[5 + 2 * step] = ahead.row;
            told[6 + 2 * step] = ahead.col;
        }
    }
    return y->told;
}

EMSCRIPTEN_KEEPALIVE int fleet_robot_numbers(void)
{
    return ROBOT_NUMBERS;
}

/* Goals reached so far. */
EMSCRIPTEN_KEEPALIVE double fleet_reached(const yard *y)
{
    return y->reached;
}

/* Seconds that the last plan took. */
EMSCRIPTEN_KEEPALIVE double fleet_took(const yard *y)
{
    return y->took;
}

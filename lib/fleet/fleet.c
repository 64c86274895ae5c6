#include "fleet/fleet.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the window when nobody says otherwise: fewer see jams too late, more cost time that improvement needs. */
enum { WINDOW_STEPS = 12 };

static const dl_cell *goals_of(const dl_robot *r)
{
    return r->queue + r->first;
}

static void release_field(dl_robot *r, int k)
{
    if (!r->source[k]) return;
    assert(k < r->goals);
    dl_map_release(r->source[k], goals_of(r)[k]);
    dl_map_free(r->source[k]);
    r->source[k] = NULL;
}

/* Acquires the distances to goal k of the queue: a field, or on a large map a search. */
static void acquire_field(dl_fleet *fleet, dl_robot *r, int k, const dl_deadline *deadline)
{
    assert(!r->source[k] && k < r->goals);
    dl_cell goal = goals_of(r)[k];
    dl_field found = {.asker = &fleet->asker};
    if (dl_grid_is_large(fleet->grid)) {
        found.search = dl_map_acquire_search(fleet->map, goal, r->at);
        if (!found.search) return;
    } else {
        const dl_field *field = dl_map_acquire(fleet->under, goal, deadline);
        if (!field) return;
        found = *field;
    }
    r->field[k] = found;
    r->source[k] = dl_map_share(fleet->under);
}

dl_status dl_fleet_create(dl_map *map, dl_fleet **out, dl_error *err)
{
    const dl_grid *grid = dl_map_grid(map);
    dl_fleet *fleet = *out = DL_NEW(dl_fleet);
    if (!fleet) return dl_out_of_memory(err);
    fleet->map = dl_map_share(map);
    fleet->under = dl_map_share(map);
    fleet->grid = grid;
    fleet->seed = 1;
    fleet->iterations = DL_FLEET_SETTLED;
    fleet->on = dl_malloc(sizeof *fleet->on * (size_t)grid->cells);
    fleet->escorted = DL_NO_ROBOT;
    fleet->guidance = (dl_guidance){.counted = -1, .automatic = !dl_grid_is_large(grid)};
    fleet->demand = DL_ARRAY(dl_cell, DL_FLEET_DEMAND);
    if (fleet->on && fleet->demand && dl_window_create(&fleet->window, grid, WINDOW_STEPS) &&
        dl_escort_create(&fleet->escort, grid)) {
        memset(fleet->on, 0xFF, sizeof *fleet->on * (size_t)grid->cells);
        return DIFFLNS_OK;
    }
    dl_fleet_free(fleet);
    *out = NULL;
    return dl_out_of_memory(err);
}

void dl_fleet_free(dl_fleet *fleet)
{
    if (!fleet) return;
    for (int robot = 0; robot < fleet->room; robot++) {
        for (int k = 0; k < DL_TRIP_GOALS; k++) release_field(&fleet->robot[robot], k);
        free(fleet->robot[robot].queue);
    }
    dl_escort_release(&fleet->escort);
    dl_window_release(&fleet->window);
    dl_map_free(fleet->under);
    dl_map_free(fleet->map);
    dl_closures_release(&fleet->closures);
    dl_guidance_release(&fleet->guidance);
    free(fleet->demand);
    free(fleet->robot);
    free(fleet->driven);
    free(fleet->on);
    free(fleet);
}

dl_status dl_fleet_set_window(dl_fleet *fleet, int steps, dl_error *err)
{
    dl_window window, *old = &fleet->window;
    if (!dl_window_create(&window, fleet->grid, steps > 0 ? steps : WINDOW_STEPS) ||
        !dl_window_fit(&window, old->room)) {
        dl_window_release(&window);
        return dl_out_of_memory(err);
    }
    window.robots = old->robots;
    if (old->robots > 0) memcpy(window.rank, old->rank, sizeof *old->rank * (size_t)old->robots);
    dl_window_release(old);
    *old = window;
    fleet->planned = false;
    return DIFFLNS_OK;
}

/* ---- Costs of edges ---- */

dl_status dl_fleet_set_costs(dl_fleet *fleet, dl_edge_costs *costs, dl_error *err)
{
    if (costs && dl_grid_is_large(fleet->grid))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "costs of edges: expected a map of at most %d cells",
                       DL_LARGE_MAP_CELLS);
    dl_edge_costs *whole;
    if (!dl_closures_lay(&fleet->closures, fleet->grid, costs, &whole)) return dl_out_of_memory(err);
    dl_map *under = whole ? dl_map_under(fleet->map, whole) : dl_map_share(fleet->map);
    dl_edge_costs_free(whole); /* the map has its share */
    if (!under) return dl_out_of_memory(err);
    dl_map_free(fleet->under);
    assert(dl_map_grid(under) == fleet->grid && dl_map_costs(under) == whole);
    dl_edge_costs_share(costs);
    dl_edge_costs_free(fleet->closures.base);
    fleet->closures.base = costs;
    fleet->under = under;
    fleet->outdated = true;
    return DIFFLNS_OK;
}

static void refresh_robot(dl_fleet *fleet, dl_robot *r, const dl_deadline *deadline)
{
    for (int k = 0; k < DL_TRIP_GOALS && k < r->goals; k++) {
        if (!r->source[k] || r->source[k] == fleet->under) continue;
        dl_robot old = *r;
        r->source[k] = NULL;
        acquire_field(fleet, r, k, deadline);
        if (r->source[k])
            release_field(&old, k);
        else
            *r = old;
        if (k == 0) r->nearest = INT_MAX; /* its progress is counted from the start */
    }
}

/* The robot of an escort is spared: it would be led back and forth. */
void dl_fleet_refresh(dl_fleet *fleet, const dl_deadline *deadline)
{
    if (!fleet->outdated) return;
    for (int i = 0; i < fleet->window.robots; i++) {
        int robot = fleet->window.rank[i];
        if (dl_is_late(deadline)) return;
        if (robot != fleet->escorted) refresh_robot(fleet, &fleet->robot[robot], deadline);
    }
    fleet->outdated = fleet->escorted != DL_NO_ROBOT;
}

/* ---- Robots ---- */

bool dl_fleet_has(const dl_fleet *fleet, int robot)
{
    return robot >= 0 && robot < fleet->room && fleet->robot[robot].present;
}

static dl_status require(const dl_fleet *fleet, int robot, dl_error *err)
{
    if (dl_fleet_has(fleet, robot)) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "robot %d: there is no such robot", robot);
}

/* The free cell meant, or a line that says why it is none. */
static dl_status find_cell(const dl_fleet *fleet, int robot, const char *what, difflns_cell at, dl_cell *out,
                           dl_error *err)
{
    *out = dl_grid_cell(fleet->grid, at.row, at.col);
    if (*out != DL_NO_CELL) return DIFFLNS_OK;
    const char *why = dl_grid_inside(fleet->grid, at.row, at.col) ? "on an obstacle" : "outside the map";
    return dl_fail(err, DIFFLNS_BAD_INPUT, "robot %d: %s (%d, %d) is %s", robot, what, at.row, at.col, why);
}

static dl_status refuse_occupied(const dl_fleet *fleet, int robot, dl_cell cell, dl_error *err)
{
    difflns_cell at = dl_grid_position(fleet->grid, cell);
    return dl_fail(err, DIFFLNS_BAD_INPUT, "robot %d: cell (%d, %d) is taken by robot %d", robot, at.row, at.col,
                   fleet->on[cell]);
}

static bool fit(dl_fleet *fleet, int robots)
{
    if (!dl_window_fit(&fleet->window, robots) || !dl_escort_fit(&fleet->escort, fleet->window.room)) return false;
    if (robots <= fleet->room) return true;
    int room = fleet->window.room;
    uint8_t *driven = dl_realloc(fleet->driven, (size_t)room, 1);
    if (driven) fleet->driven = driven;
    dl_robot *robot = dl_realloc(fleet->robot, (size_t)room, sizeof *robot);
    if (robot) fleet->robot = robot;
    if (!driven || !robot) return false;
    memset(robot + fleet->room, 0, sizeof *robot * (size_t)(room - fleet->room));
    fleet->room = room;
    return true;
}

dl_status dl_fleet_add(dl_fleet *fleet, difflns_cell at, int *added, dl_error *err)
{
    int robot = fleet->vacant;
    while (dl_fleet_has(fleet, robot)) robot++;
    dl_cell cell;
    DL_TRY(find_cell(fleet, robot, "its cell", at, &cell, err));
    if (fleet->on[cell] != DL_NO_ROBOT) return refuse_occupied(fleet, robot, cell, err);
    if (robot >= DL_FLEET_MOST)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "robot %d: a fleet has at most %d robots", robot, DL_FLEET_MOST);
    if (!fit(fleet, robot + 1)) return dl_out_of_memory(err);
    dl_robot *r = &fleet->robot[robot];
    *r = (dl_robot){
        .present = true, .at = cell, .before = cell, .queue = r->queue, .room = r->room, .since = fleet->now};
    fleet->on[cell] = (uint16_t)robot;
    assert(fleet->window.robots < fleet->window.room);
    fleet->window.rank[fleet->window.robots++] = (uint16_t)robot;
    fleet->planned = false; /* somebody's path may lead through it */
    fleet->reshaped = true;
    fleet->vacant = robot + 1;
    *added = robot;
    return DIFFLNS_OK;
}

dl_status dl_fleet_remove(dl_fleet *fleet, int robot, dl_error *err)
{
    DL_TRY(dl_fleet_clear_goals(fleet, robot, err));
    dl_robot *r = &fleet->robot[robot];
    dl_window *window = &fleet->window;
    int rank = 0;
    while (window->rank[rank] != robot) rank++;
    assert(rank < window->robots && fleet->on[r->at] == robot);
    window->robots--;
    memmove(window->rank + rank, window->rank + rank + 1, sizeof *window->rank * (size_t)(window->robots - rank));
    fleet->on[r->at] = DL_NO_ROBOT;
    r->present = false;
    if (robot < fleet->vacant) fleet->vacant = robot;
    fleet->reshaped = true;
    return DIFFLNS_OK;
}

/* ---- Goals ---- */

/* A way begins. */
static void set_out(dl_fleet *fleet, dl_robot *r)
{
    r->since = r->nearer = r->asked = fleet->now;
    r->nearest = INT_MAX;
    r->stuck = false;
}

/* Acquires the distances to the first goals. */
static void see_goals(dl_fleet *fleet, dl_robot *r, const dl_deadline *deadline)
{
    for (int k = 0; k < DL_TRIP_GOALS && k < r->goals; k++)
        if (!r->source[k]) acquire_field(fleet, r, k, deadline);
}

dl_status dl_fleet_add_goal(dl_fleet *fleet, int robot, difflns_cell goal, dl_error *err)
{
    dl_cell cell;
    DL_TRY(require(fleet, robot, err));
    DL_TRY(find_cell(fleet, robot, "its goal", goal, &cell, err));
    dl_robot *r = &fleet->robot[robot];
    if (fleet->grid->component[cell] != fleet->grid->component[r->at])
        return dl_fail(err, DIFFLNS_BAD_INPUT, "robot %d: no way leads to its goal (%d, %d)", robot, goal.row,
                       goal.col);
    if (r->first + r->goals == r->room && r->first > 0) {
        memmove(r->queue, goals_of(r), sizeof *r->queue * (size_t)r->goals);
        r->first = 0;
    }
    if (!DL_GROW(r->queue, r->room, r->first + r->goals + 1)) return dl_out_of_memory(err);
    if (r->goals == 0) set_out(fleet, r);
    assert(r->first + r->goals < r->room);
    r->queue[r->first + r->goals++] = cell;
    fleet->demand[fleet->asked % DL_FLEET_DEMAND] = cell;
    fleet->asked += fleet->asked < INT_MAX;
    see_goals(fleet, r, NULL);
    return DIFFLNS_OK;
}

dl_status dl_fleet_clear_goals(dl_fleet *fleet, int robot, dl_error *err)
{
    DL_TRY(require(fleet, robot, err));
    dl_robot *r = &fleet->robot[robot];
    for (int k = 0; k < DL_TRIP_GOALS; k++) release_field(r, k);
    r->first = r->goals = 0;
    set_out(fleet, r);
    return DIFFLNS_OK;
}

dl_status dl_fleet_hold(dl_fleet *fleet, int robot, int64_t until, dl_error *err)
{
    DL_TRY(require(fleet, robot, err));
    if (!dl_fleet_expect_standing(fleet, until)) return dl_out_of_memory(err);
    fleet->robot[robot].hold = until > 0 ? until : 0; /* what lies in the past is far enough there */
    fleet->astray = true;                             /* the plan being driven may move it */
    return DIFFLNS_OK;
}

int dl_fleet_take_goals(dl_fleet *fleet, const dl_deadline *deadline)
{
    int reached = 0;
    for (int i = 0; i < fleet->window.robots; i++) {
        dl_robot *r = &fleet->robot[fleet->window.rank[i]];
        if (r->goals > 0 && goals_of(r)[0] == r->at) {
            release_field(r, 0);
            for (int k = 1; k < DL_TRIP_GOALS; k++) {
                r->field[k - 1] = r->field[k];
                r->source[k - 1] = r->source[k];
            }
            r->source[DL_TRIP_GOALS - 1] = NULL;
            assert(r->goals > 0 && !r->source[DL_TRIP_GOALS - 1]);
            r->first++;
            r->goals--;
            r->reached++;
            reached++;
            set_out(fleet, r);
        }
        see_goals(fleet, r, deadline);
    }
    return reached;
}

/* ---- Where they are ---- */

/* Who has to fall back to where it was if `robot` is on `cell`? Lists them in window.turn; -1 if somebody can't, or if
 * they would have to turn back a ring and meet the robot on it. */
static int find_pushed_back(const dl_fleet *fleet, int robot, dl_cell cell)
{
    int count = 0;
    for (dl_cell wanted = cell;; count++) {
        int other = fleet->on[wanted];
        if (other == DL_NO_ROBOT || other == robot) return count;
        const dl_robot *o = &fleet->robot[other];
        if (o->seen || o->before == o->at || (count > 0 && wanted == cell)) return -1;
        assert(count < fleet->window.robots);
        fleet->window.turn[count] = (uint16_t)other;
        wanted = o->before;
    }
}

static void put_back(dl_fleet *fleet, int robot, dl_cell cell)
{
    dl_robot *r = &fleet->robot[robot];
    assert(fleet->on[cell] == DL_NO_ROBOT);
    r->at = r->before = cell;
    fleet->on[cell] = (uint16_t)robot;
    fleet->astray = true;
}

dl_status dl_fleet_observe(dl_fleet *fleet, int robot, difflns_cell at, dl_error *err)
{
    dl_cell cell;
    DL_TRY(require(fleet, robot, err));
    DL_TRY(find_cell(fleet, robot, "observed", at, &cell, err));
    dl_robot *r = &fleet->robot[robot];
    if (r->goals > 0 && fleet->grid->component[cell] != fleet->grid->component[r->at])
        return dl_fail(err, DIFFLNS_BAD_INPUT, "robot %d: observed at (%d, %d), from where no way leads to its goal",
                       robot, at.row, at.col);
    int pushed = find_pushed_back(fleet, robot, cell);
    if (pushed < 0) return refuse_occupied(fleet, robot, cell, err);
    r->seen = true;
    if (cell == r->at) return DIFFLNS_OK;
    if (cell != r->before) fleet->reshaped = true;
    fleet->on[r->at] = DL_NO_ROBOT;
    for (int i = 0; i < pushed; i++) fleet->on[fleet->robot[fleet->window.turn[i]].at] = DL_NO_ROBOT;
    put_back(fleet, robot, cell);
    for (int i = 0; i < pushed; i++) put_back(fleet, fleet->window.turn[i], fleet->robot[fleet->window.turn[i]].before);
    return DIFFLNS_OK;
}

dl_cell dl_fleet_ahead(const dl_fleet *fleet, int robot, int steps)
{
    const dl_window *window = &fleet->window;
    if (!fleet->planned || fleet->astray) return fleet->robot[robot].at;
    int left = window->steps - fleet->ticks;
    assert(left >= 0 && steps >= 0);
    return dl_window_path(window, robot)[fleet->ticks + (steps < left ? steps : left)];
}

void dl_fleet_tick(dl_fleet *fleet)
{
    const dl_window *window = &fleet->window;
    for (int i = 0; i < window->robots; i++) fleet->on[fleet->robot[window->rank[i]].at] = DL_NO_ROBOT;
    for (int i = 0; i < window->robots; i++) {
        dl_robot *r = &fleet->robot[window->rank[i]];
        r->before = r->at;
        r->at = dl_fleet_ahead(fleet, window->rank[i], 1);
        r->seen = false;
        assert(fleet->on[r->at] == DL_NO_ROBOT); /* the plan is legal */
        fleet->on[r->at] = window->rank[i];
    }
    fleet->now++;
    if (fleet->ticks < window->steps) fleet->ticks++;
}

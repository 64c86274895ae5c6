#include "fleet/closures.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/fleet.h"

/* In `said`, beside a bit for each direction: nobody may enter the cell. */
enum { CLOSED_CELL = 1 << DL_DIRECTIONS };
/* A robot held for fewer ticks is not worth a detour, nor the time to measure distances anew. */
enum { LEAST_TICKS = 8 };

void dl_closures_release(dl_closures *c)
{
    dl_edge_costs_free(c->base);
    void *const memory[] = {c->said, c->shut, c->standing, c->price, c->from, c->now, c->next};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) free(memory[i]);
    *c = (dl_closures){0};
}

/* Memory for what may be closed; the costs that hold stay. */
static bool fit(dl_closures *c, const dl_grid *grid)
{
    if (c->said) return true;
    size_t cells = (size_t)grid->cells;
    dl_closures made = {.said = DL_ARRAY(uint8_t, cells),
                        .shut = DL_ARRAY(uint8_t, cells),
                        .standing = DL_ARRAY(uint8_t, cells),
                        .price = DL_ARRAY(int32_t, cells),
                        .from = DL_ARRAY(dl_cell, cells),
                        .now = DL_ARRAY(dl_cell, cells),
                        .next = DL_ARRAY(dl_cell, cells)};
    if (!made.said || !made.shut || !made.standing || !made.price || !made.from || !made.now || !made.next) {
        dl_closures_release(&made);
        return false;
    }
    made.base = c->base;
    *c = made;
    return true;
}

/* ---- Costs ---- */

static void lay_standing(const dl_closures *c, const dl_grid *grid, dl_edge_costs *costs, dl_cell cell)
{
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell near = grid->neighbor[cell][d];
        if (near == DL_NO_CELL) continue;
        uint8_t *extra = &costs->extra[near][d ^ 1];
        int sum = *extra + c->standing[cell];
        if (*extra == DL_COST_NEVER || c->standing[cell] == DL_COST_NEVER)
            *extra = DL_COST_NEVER;
        else
            *extra = (uint8_t)(sum < DL_COST_MOST ? sum : DL_COST_MOST);
    }
}

bool dl_closures_lay(const dl_closures *c, const dl_grid *grid, dl_edge_costs *costs, dl_edge_costs **out)
{
    *out = c->closed || c->held ? dl_edge_costs_copy(costs, grid) : dl_edge_costs_share(costs);
    if (!c->closed && !c->held) return true;
    for (dl_cell cell = 0; *out && cell < grid->cells; cell++) {
        for (int d = 0; d < DL_DIRECTIONS; d++)
            if (c->shut[cell] >> d & 1) dl_edge_costs_close_edge(*out, cell, d);
        if (c->standing[cell]) lay_standing(c, grid, *out, cell);
    }
    return *out != NULL;
}

/* Powers of two, rounded down: costs change a few times while a robot is held, not in every tick. */
static uint8_t standing_cost(const dl_fleet *fleet, const dl_robot *r)
{
    int64_t left = r->present ? r->hold - fleet->now : 0;
    if (left >= DL_CLOSED_TICKS) return DL_COST_NEVER;
    int least = DL_CLOSED_TICKS / 2;
    while (least >= LEAST_TICKS && least > left) least /= 2;
    return (uint8_t)(least >= LEAST_TICKS ? DL_STEP_UNITS * least : 0);
}

/* Do the costs know of all who are held, and of no others? */
static bool knows_standing(const dl_fleet *fleet)
{
    const dl_closures *c = &fleet->closures;
    int held = 0;
    bool known = true;
    for (int i = 0; i < fleet->window.robots; i++) {
        const dl_robot *r = &fleet->robot[fleet->window.rank[i]];
        uint8_t cost = standing_cost(fleet, r);
        held += cost > 0;
        known &= cost == 0 || c->standing[r->at] == cost;
    }
    return known && held == c->held;
}

static void count_standing(dl_fleet *fleet)
{
    dl_closures *c = &fleet->closures;
    memset(c->standing, 0, (size_t)fleet->grid->cells);
    c->held = 0;
    for (int i = 0; i < fleet->window.robots; i++) {
        const dl_robot *r = &fleet->robot[fleet->window.rank[i]];
        c->standing[r->at] = standing_cost(fleet, r);
        c->held += c->standing[r->at] > 0;
    }
}

/* Where memory is out the costs stay as they are until the next plan: nobody enters what is closed all the same. */
void dl_fleet_see_closures(dl_fleet *fleet)
{
    dl_closures *c = &fleet->closures;
    fleet->window.shut = c->closed ? c->shut : NULL;
    if (!c->said || (!c->changed && knows_standing(fleet))) return;
    count_standing(fleet);
    c->changed = dl_fleet_set_costs(fleet, c->base, NULL) != DIFFLNS_OK;
    fleet->escorted = DL_NO_ROBOT; /* its way may lead through what is closed now */
    dl_escort_drop(&fleet->escort);
}

/* ---- Closing ---- */

static void update_shut(dl_closures *c, const dl_grid *grid)
{
    c->closed = 0;
    for (dl_cell cell = 0; cell < grid->cells; cell++) {
        c->closed += c->said[cell] != 0;
        c->shut[cell] = c->said[cell] & (CLOSED_CELL - 1);
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell near = grid->neighbor[cell][d];
            if (near != DL_NO_CELL && (c->said[near] & CLOSED_CELL)) c->shut[cell] |= (uint8_t)(1 << d);
        }
    }
}

static int direction_between(const dl_grid *grid, dl_cell from, dl_cell to)
{
    for (int d = 0; d < DL_DIRECTIONS; d++)
        if (grid->neighbor[from][d] == to) return d;
    return -1;
}

static dl_status check_cells(const dl_grid *grid, const difflns_cell *cells, size_t count, dl_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (dl_grid_cell(grid, cells[i].row, cells[i].col) == DL_NO_CELL)
            return dl_fail(err, DIFFLNS_BAD_INPUT, "cell (%d, %d): expected a free cell of the map", cells[i].row,
                           cells[i].col);
    return DIFFLNS_OK;
}

static dl_status check_edges(const dl_grid *grid, const difflns_edge *edges, size_t count, dl_error *err)
{
    for (size_t i = 0; i < count; i++) {
        difflns_cell a = edges[i].from, b = edges[i].to;
        dl_cell from = dl_grid_cell(grid, a.row, a.col), to = dl_grid_cell(grid, b.row, b.col);
        if (from == DL_NO_CELL || to == DL_NO_CELL || direction_between(grid, from, to) < 0)
            return dl_fail(err, DIFFLNS_BAD_INPUT,
                           "edge from (%d, %d) to (%d, %d): expected free cells that are neighbors", a.row, a.col,
                           b.row, b.col);
    }
    return DIFFLNS_OK;
}

static void say(dl_closures *c, dl_cell cell, int bit, bool closed)
{
    c->said[cell] = (uint8_t)(closed ? c->said[cell] | bit : c->said[cell] & ~bit);
}

dl_status dl_fleet_block(dl_fleet *fleet, const dl_block_list *list, bool closed, dl_error *err)
{
    const dl_grid *grid = fleet->grid;
    dl_closures *c = &fleet->closures;
    DL_TRY(check_cells(grid, list->cell, list->cells, err));
    DL_TRY(check_edges(grid, list->edge, list->edges, err));
    if (dl_grid_is_large(grid))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "closures: expected a map of at most %d cells", DL_LARGE_MAP_CELLS);
    if (!fit(c, grid)) return dl_out_of_memory(err);
    for (size_t i = 0; i < list->cells; i++)
        say(c, dl_grid_cell(grid, list->cell[i].row, list->cell[i].col), CLOSED_CELL, closed);
    for (size_t i = 0; i < list->edges; i++) {
        difflns_cell a = list->edge[i].from, b = list->edge[i].to;
        dl_cell from = dl_grid_cell(grid, a.row, a.col);
        say(c, from, 1 << direction_between(grid, from, dl_grid_cell(grid, b.row, b.col)), closed);
    }
    update_shut(c, grid);
    c->changed = true;
    fleet->planned = false; /* somebody's path may lead through it */
    fleet->reshaped = true;
    return DIFFLNS_OK;
}

bool dl_fleet_expect_standing(dl_fleet *fleet, int64_t until)
{
    if (until < fleet->now + LEAST_TICKS || dl_grid_is_large(fleet->grid)) return true;
    return fit(&fleet->closures, fleet->grid);
}

/* ---- Who can't get through ---- */

/* The robot that closes `cell` by standing there for long; DL_NO_ROBOT = none. */
static int stands_on(const dl_fleet *fleet, dl_cell cell)
{
    int robot = fleet->on[cell];
    if (robot == DL_NO_ROBOT || fleet->robot[robot].hold - fleet->now < DL_CLOSED_TICKS) return DL_NO_ROBOT;
    return robot;
}

/* Steps from the cells in now[0 .. count - 1], all to be had by opening `price` steps: those that are open lead to
 * more of them, the others to the cells of the next price, whose number is returned. */
static int spread(const dl_fleet *fleet, int count, int price)
{
    const dl_closures *c = &fleet->closures;
    int later = 0;
    for (int i = 0; i < count; i++) {
        dl_cell cell = c->now[i];
        for (int d = 0; d < DL_DIRECTIONS && c->price[cell] == price; d++) {
            dl_cell near = fleet->grid->neighbor[cell][d];
            if (near == DL_NO_CELL) continue;
            bool closed = (c->shut[cell] >> d & 1) || stands_on(fleet, near) != DL_NO_ROBOT;
            if (c->price[near] <= price + closed) continue;
            c->price[near] = price + closed;
            c->from[near] = cell;
            if (closed)
                c->next[later++] = near;
            else
                c->now[count++] = near;
        }
    }
    return later;
}

/* The way from `start` to `goal` through the fewest closed steps, backward in from[]. */
static void find_way(dl_fleet *fleet, dl_cell start, dl_cell goal)
{
    dl_closures *c = &fleet->closures;
    for (dl_cell cell = 0; cell < fleet->grid->cells; cell++) c->price[cell] = INT_MAX;
    c->price[start] = 0;
    c->now[0] = start;
    for (int count = 1, price = 0; count > 0 && c->price[goal] >= price; price++) {
        count = spread(fleet, count, price);
        dl_cell *swap = c->now;
        c->now = c->next;
        c->next = swap;
    }
    assert(c->price[goal] < INT_MAX);
}

int dl_fleet_blocked(dl_fleet *fleet, int robot, difflns_fleet_obstacle *out, size_t room)
{
    const dl_robot *r = &fleet->robot[robot];
    const dl_closures *c = &fleet->closures;
    if (!c->said || r->goals == 0) return 0;
    dl_cell goal = r->queue[r->first];
    find_way(fleet, r->at, goal);
    int count = c->price[goal];
    for (dl_cell cell = goal; cell != r->at; cell = c->from[cell]) {
        dl_cell before = c->from[cell];
        assert(c->price[before] <= c->price[cell]);
        if (c->price[before] == c->price[cell]) continue;
        size_t place = (size_t)c->price[before]; /* nearest first */
        int other = stands_on(fleet, cell);
        if (out && place < room)
            out[place] = (difflns_fleet_obstacle){
                .robot = other == DL_NO_ROBOT ? -1 : other,
                .step = {dl_grid_position(fleet->grid, before), dl_grid_position(fleet->grid, cell)}};
    }
    return count;
}

/* ---- For escorts ---- */

int dl_fleet_mark_closed(const dl_fleet *fleet, uint8_t *mark)
{
    const dl_closures *c = &fleet->closures;
    int marked = 0;
    for (dl_cell cell = 0; c->said && cell < fleet->grid->cells; cell++) {
        mark[cell] = (c->said[cell] & CLOSED_CELL) || c->standing[cell] == DL_COST_NEVER;
        marked += mark[cell];
    }
    return marked;
}

bool dl_fleet_is_shut(const dl_fleet *fleet, dl_cell from, dl_cell to)
{
    const dl_closures *c = &fleet->closures;
    return c->closed && (c->shut[from] >> direction_between(fleet->grid, from, to) & 1);
}

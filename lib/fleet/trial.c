#include "fleet/trial.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Ticks of each simulation, and of these the first that do not count: jams take time to form. */
enum { TICKS = 120, FIRST = 30 };
/* Maps of more cells are tried on a square of this side in the middle, with the robots that are there. */
enum { MOST_CELLS = 6000, SIDE = 72 };
/* Rules must serve better than none by so many standard deviations of a count of goals: which goals are drawn is
 * chance, and in small crowds chance is all there is. */
static const double SURE = 2;

typedef struct start {
    dl_cell at, goal; /* DL_NO_CELL: none */
} start;

struct dl_trial {
    dl_map *map; /* shared */
    uint64_t seed;
    int window;
    int64_t iterations; /* of a plan */
    int robots;
    start *start;    /* [robots] */
    dl_cell *demand; /* [demands] goals to draw from; none: any cell of the largest part */
    int demands;
    int choice, tick;
    dl_fleet *toy; /* the fleet simulated now; NULL before the first tick of a choice */
    dl_rng rng;
    int64_t reached[DL_GUIDANCE_CHOICES];
    double longest;
};

/* ---- What is simulated ---- */

/* The square in the middle of a large map; NULL when memory is out. */
static dl_map *cut_out(const dl_grid *grid, int row, int col, int height, int width)
{
    uint8_t *blocked = dl_malloc((size_t)height * (size_t)width);
    dl_grid *part;
    if (!blocked) return NULL;
    for (int i = 0; i < height * width; i++)
        blocked[i] = dl_grid_cell(grid, row + i / width, col + i % width) == DL_NO_CELL;
    dl_status status = dl_grid_create(height, width, blocked, &part, NULL);
    free(blocked);
    return status == DIFFLNS_OK ? dl_map_create(part) : NULL;
}

static int middle(int length, int part)
{
    return length > part ? (length - part) / 2 : 0;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static bool copy_robots(dl_trial *trial, const dl_fleet *fleet, int row, int col)
{
    const dl_grid *grid = dl_map_grid(trial->map);
    int part = dl_grid_largest_component(grid);
    trial->start = DL_ARRAY(start, fleet->window.robots);
    for (int i = 0; i < fleet->window.robots && trial->start; i++) {
        const dl_robot *r = &fleet->robot[fleet->window.rank[i]];
        difflns_cell at = dl_grid_position(fleet->grid, r->at);
        start s = {dl_grid_cell(grid, at.row - row, at.col - col), DL_NO_CELL};
        if (s.at == DL_NO_CELL || grid->component[s.at] != part) continue;
        if (r->goals > 0) {
            difflns_cell goal = dl_grid_position(fleet->grid, r->queue[r->first]);
            s.goal = dl_grid_cell(grid, goal.row - row, goal.col - col);
            if (s.goal != DL_NO_CELL && grid->component[s.goal] != part) s.goal = DL_NO_CELL;
        }
        trial->start[trial->robots++] = s;
    }
    return trial->start != NULL;
}

static bool copy_demand(dl_trial *trial, const dl_fleet *fleet, int row, int col)
{
    const dl_grid *grid = dl_map_grid(trial->map);
    int part = dl_grid_largest_component(grid), known = least(fleet->asked, DL_FLEET_DEMAND);
    trial->demand = DL_ARRAY(dl_cell, DL_FLEET_DEMAND);
    for (int i = 0; i < known && trial->demand; i++) {
        difflns_cell goal = dl_grid_position(fleet->grid, fleet->demand[i]);
        dl_cell cell = dl_grid_cell(grid, goal.row - row, goal.col - col);
        if (cell != DL_NO_CELL && grid->component[cell] == part) trial->demand[trial->demands++] = cell;
    }
    return trial->demand != NULL;
}

dl_trial *dl_trial_create(const dl_fleet *fleet)
{
    dl_trial *trial = DL_NEW(dl_trial);
    if (!trial) return NULL;
    const dl_grid *grid = fleet->grid;
    int row = 0, col = 0;
    if (grid->cells > MOST_CELLS) {
        row = middle(grid->height, SIDE);
        col = middle(grid->width, SIDE);
        trial->map = cut_out(grid, row, col, least(grid->height, SIDE), least(grid->width, SIDE));
    } else {
        trial->map = dl_map_share(fleet->map);
    }
    trial->seed = fleet->seed;
    trial->window = fleet->window.steps;
    trial->iterations = fleet->iterations;
    if (trial->map && copy_robots(trial, fleet, row, col) && copy_demand(trial, fleet, row, col) && trial->robots > 0) {
        if (trial->iterations < 0 || trial->iterations > trial->robots) trial->iterations = trial->robots;
        return trial;
    }
    dl_trial_free(trial);
    return NULL;
}

void dl_trial_free(dl_trial *trial)
{
    if (!trial) return;
    dl_fleet_free(trial->toy);
    dl_map_free(trial->map);
    free(trial->start);
    free(trial->demand);
    free(trial);
}

/* ---- Simulation ---- */

static dl_status give_goal(dl_trial *trial, int robot, dl_cell goal)
{
    const dl_grid *grid = dl_map_grid(trial->map);
    int part = dl_grid_largest_component(grid);
    while (goal == DL_NO_CELL || grid->component[goal] != part) {
        uint32_t cells = (uint32_t)(trial->demands > 0 ? trial->demands : grid->cells);
        uint32_t draw = dl_rng_below(&trial->rng, cells);
        goal = trial->demands > 0 ? trial->demand[draw] : (dl_cell)draw;
    }
    return dl_fleet_add_goal(trial->toy, robot, dl_grid_position(grid, goal), NULL);
}

/* Every choice meets the same robots, and goals from the same stream. */
static dl_status begin(dl_trial *trial)
{
    DL_TRY(dl_fleet_create(trial->map, &trial->toy, NULL));
    trial->rng = dl_rng_stream(trial->seed, DL_PURPOSE('t', 'r', 'i', 'a'), 0);
    trial->toy->seed = trial->seed;
    trial->toy->iterations = trial->iterations;
    DL_TRY(dl_fleet_set_window(trial->toy, trial->window, NULL));
    DL_TRY(dl_fleet_set_rules(trial->toy, &DL_GUIDANCE_RULES[trial->choice], NULL));
    for (int i = 0; i < trial->robots; i++) {
        int robot;
        DL_TRY(dl_fleet_add(trial->toy, dl_grid_position(dl_map_grid(trial->map), trial->start[i].at), &robot, NULL));
        assert(robot == i);
        DL_TRY(give_goal(trial, robot, trial->start[i].goal));
    }
    return DIFFLNS_OK;
}

static dl_status advance(dl_trial *trial)
{
    dl_fleet *toy = trial->toy;
    assert(toy && toy->window.robots == trial->robots && !toy->guidance.automatic);
    const dl_deadline never = dl_no_deadline();
    DL_TRY(dl_fleet_plan(toy, &never, NULL));
    for (int robot = 0; robot < trial->robots; robot++) {
        if (toy->robot[robot].goals > 0) continue;
        trial->reached[trial->choice] += trial->tick >= FIRST;
        DL_TRY(give_goal(trial, robot, DL_NO_CELL));
    }
    dl_fleet_tick(toy);
    return DIFFLNS_OK;
}

bool dl_trial_step(dl_trial *trial, dl_status *status)
{
    assert(trial->choice < DL_GUIDANCE_CHOICES);
    double began = dl_now();
    *status = trial->toy ? DIFFLNS_OK : begin(trial);
    if (*status == DIFFLNS_OK) *status = advance(trial);
    if (++trial->tick == TICKS) {
        dl_fleet_free(trial->toy);
        trial->toy = NULL;
        trial->tick = 0;
        trial->choice++;
    }
    double took = dl_now() - began;
    if (took > trial->longest) trial->longest = took;
    return trial->choice == DL_GUIDANCE_CHOICES;
}

int dl_trial_winner(const dl_trial *trial)
{
    assert(trial->choice == DL_GUIDANCE_CHOICES);
    int best = DL_GUIDANCE_NONE;
    double none = (double)trial->reached[best], most = none + SURE * sqrt(none);
    for (int i = 0; i < DL_GUIDANCE_CHOICES; i++) {
        if ((double)trial->reached[i] <= most) continue;
        best = i;
        most = (double)trial->reached[i];
    }
    return best;
}

double dl_trial_longest_step(const dl_trial *trial)
{
    return trial->longest;
}

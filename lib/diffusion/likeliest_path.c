#include "diffusion/likeliest_path.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "diffusion/tokens.h"
#include "mapf/distance.h"

/* The map in a frame of one blocked square, row by row, so that a step is a constant offset and a whole timestep is one
 * loop without branches. worth[t] holds, for each square an agent can have reached by t, the best value of the rest of
 * the path from there, the toll of the square itself included. */
struct dl_likeliest {
    const dl_grid *grid;
    int stride, squares;    /* of the framed map */
    int offset[DL_ACTIONS]; /* in the framed map */
    int32_t *square;        /* [cells] */
    float *toll;            /* [squares]: of being on a square that is not the goal */
    float step;             /* the step cost `toll` was made for */
    float *worth;           /* [capacity][squares] */
    int capacity;
    const dl_deadline *deadline; /* not owned; NULL = none */
};

/* Counts in the planner's frame, a byte each: 255 on a square, and however many more, stay 255 for good. */
struct dl_crowd {
    int horizon, squares;
    uint8_t *there; /* [horizon + 1][squares]: on a square at t */
    uint8_t
        *leaving[DL_ACTIONS]; /* [horizon][squares] each, none for staying: from a square by an action, t to t + 1 */
};

/* The squares first..last an agent can have reached by `time`: whole rows. */
static void find_band(const dl_likeliest *planner, dl_cell start, int time, int *first, int *last)
{
    int row = dl_grid_position(planner->grid, start).row, height = planner->grid->height;
    int top = row - time > 0 ? row - time : 0, bottom = row + time < height ? row + time : height - 1;
    *first = (top + 1) * planner->stride;
    *last = (bottom + 2) * planner->stride - 1;
}

/* How many of the crowd swap places with an agent that leaves square `from` by `action`. */
static int count_swaps(const dl_crowd *crowd, const dl_likeliest *planner, int time, int from, int action)
{
    if (action == DL_STAY) return 0;
    int opposite = ((action - 1) ^ 1) + 1;
    return crowd->leaving[opposite][(size_t)time * (size_t)crowd->squares + (size_t)(from + planner->offset[action])];
}

/* Far below any sum of scores, yet adding a score to it is not lost in overflow. */
static const float FORBIDDEN = -1e9f;

dl_likeliest *dl_likeliest_create(const dl_grid *grid)
{
    dl_likeliest *planner = DL_NEW(dl_likeliest);
    if (!planner) return NULL;
    planner->grid = grid;
    planner->stride = grid->width + 2;
    planner->squares = (grid->height + 2) * planner->stride;
    const int offset[DL_ACTIONS] = {0, -planner->stride, planner->stride, -1, 1};
    memcpy(planner->offset, offset, sizeof offset);
    planner->square = DL_ARRAY(int32_t, grid->cells);
    planner->toll = DL_ARRAY(float, planner->squares);
    if (!planner->square || !planner->toll) {
        dl_likeliest_free(planner);
        return NULL;
    }
    for (dl_cell cell = 0; cell < grid->cells; cell++) {
        difflns_cell at = dl_grid_position(grid, cell);
        planner->square[cell] = (at.row + 1) * planner->stride + at.col + 1;
    }
    planner->step = -1; /* no toll yet */
    return planner;
}

void dl_likeliest_free(dl_likeliest *planner)
{
    if (!planner) return;
    free(planner->square);
    free(planner->toll);
    free(planner->worth);
    free(planner);
}

void dl_likeliest_until(dl_likeliest *planner, const dl_deadline *deadline)
{
    planner->deadline = deadline;
}

static void set_tolls(dl_likeliest *planner, float step)
{
    if (planner->step == step) return;
    for (int s = 0; s < planner->squares; s++) planner->toll[s] = FORBIDDEN;
    for (dl_cell cell = 0; cell < planner->grid->cells; cell++) planner->toll[planner->square[cell]] = -step;
    planner->step = step;
}

/* Room for paths of `horizon` steps. False when memory or time is out. */
static bool reserve(dl_likeliest *planner, int horizon)
{
    if (horizon + 1 <= planner->capacity) return true;
    free(planner->worth);
    planner->capacity = 0;
    planner->worth = dl_aligned(sizeof(float) * (size_t)(horizon + 1) * (size_t)planner->squares);
    if (!planner->worth) return false;
    /* the frame's first and last row are read, never written */
    for (size_t s = 0; s < (size_t)(horizon + 1) * (size_t)planner->squares; s++) {
        planner->worth[s] = FORBIDDEN;
        if (dl_is_late_at(planner->deadline, s)) return false;
    }
    planner->capacity = horizon + 1;
    return true;
}

/* ---- the crowd ---- */

dl_crowd *dl_crowd_create(const dl_likeliest *planner, int horizon)
{
    size_t squares = (size_t)planner->squares;
    dl_crowd *crowd = DL_NEW(dl_crowd);
    if (!crowd) return NULL;
    crowd->horizon = horizon;
    crowd->squares = planner->squares;
    crowd->there = DL_ARRAY(uint8_t, (size_t)(horizon + 1) * squares);
    bool room = crowd->there;
    for (int a = 1; a < DL_ACTIONS; a++) {
        crowd->leaving[a] = DL_ARRAY(uint8_t, (size_t)horizon * squares);
        room = room && crowd->leaving[a];
    }
    if (room) return crowd;
    dl_crowd_free(crowd);
    return NULL;
}

void dl_crowd_free(dl_crowd *crowd)
{
    if (!crowd) return;
    for (int a = 1; a < DL_ACTIONS; a++) free(crowd->leaving[a]);
    free(crowd->there);
    free(crowd);
}

/* A counter that is full has lost count. */
static void count(uint8_t *counter, int change)
{
    assert(change > 0 || *counter > 0);
    if (*counter < UINT8_MAX) *counter = (uint8_t)(*counter + change);
}

static void count_path(dl_crowd *crowd, const dl_likeliest *planner, const dl_cell *cells, int change)
{
    assert(crowd->squares == planner->squares);
    for (int t = 0; t <= crowd->horizon; t++) {
        size_t row = (size_t)t * (size_t)crowd->squares, here = (size_t)planner->square[cells[t]];
        count(&crowd->there[row + here], change);
        if (t == crowd->horizon || cells[t + 1] == cells[t]) continue;
        count(&crowd->leaving[dl_action_between(planner->grid, cells[t], cells[t + 1])][row + here], change);
    }
}

void dl_crowd_add(dl_crowd *crowd, const dl_likeliest *planner, const dl_cell *cells)
{
    count_path(crowd, planner, cells, 1);
}

void dl_crowd_remove(dl_crowd *crowd, const dl_likeliest *planner, const dl_cell *cells)
{
    count_path(crowd, planner, cells, -1);
}

/* ---- the dynamic program ---- */

static float *worth_at(const dl_likeliest *planner, int time)
{
    return planner->worth + (size_t)time * (size_t)planner->squares;
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

/* worth[t] from worth[t + 1], squares first..last: the action scores are the same everywhere. */
static void relax(const float *restrict later, const float *restrict toll, int stride, const float *score, int first,
                  int last, float *restrict now)
{
    float stay = score[DL_STAY], up = score[DL_UP], down = score[DL_DOWN], left = score[DL_LEFT],
          right = score[DL_RIGHT];
    for (int s = first; s <= last; s++) {
        float best = larger(later[s] + stay, larger(later[s - stride] + up, later[s + stride] + down));
        now[s] = larger(best, larger(later[s - 1] + left, later[s + 1] + right)) + toll[s];
    }
}

/* A step in a crowd, and what each collision in it costs. */
typedef struct crowded_step {
    const dl_crowd *crowd;
    int time;
    float collision;
} crowded_step;

/* The same in a crowd: stepping onto a square costs where somebody leaves it the opposite way. */
static void relax_among(const float *restrict later, const float *restrict toll, int stride, const float *score,
                        crowded_step among, int first, int last, float *restrict now)
{
    const dl_crowd *crowd = among.crowd;
    size_t row = (size_t)among.time * (size_t)crowd->squares;
    float collision = among.collision;
    const uint8_t *restrict there = crowd->there + row, *restrict rising = crowd->leaving[DL_UP] + row,
                            *restrict falling = crowd->leaving[DL_DOWN] + row,
                            *restrict leftward = crowd->leaving[DL_LEFT] + row,
                            *restrict rightward = crowd->leaving[DL_RIGHT] + row;
    float stay = score[DL_STAY], up = score[DL_UP], down = score[DL_DOWN], left = score[DL_LEFT],
          right = score[DL_RIGHT];
    for (int s = first; s <= last; s++) {
        float best = later[s] + stay;
        best = larger(best, later[s - stride] + up - collision * (float)falling[s - stride]);
        best = larger(best, later[s + stride] + down - collision * (float)rising[s + stride]);
        best = larger(best, later[s - 1] + left - collision * (float)rightward[s - 1]);
        best = larger(best, later[s + 1] + right - collision * (float)leftward[s + 1]);
        now[s] = best + toll[s] - collision * (float)there[s];
    }
}

/* What swapping places with the crowd costs on the step from square `from` by `action`. */
static float swap_cost(crowded_step among, const dl_likeliest *planner, int from, int action)
{
    if (!among.crowd) return 0;
    return among.collision * (float)count_swaps(among.crowd, planner, among.time, from, action);
}

static void set_last_worth(const dl_likeliest *planner, const dl_field *distance, dl_cell goal, int horizon,
                           dl_likeliest_costs costs, const dl_crowd *crowd)
{
    float *worth = worth_at(planner, horizon);
    for (int s = 0; s < planner->squares; s++) worth[s] = FORBIDDEN;
    for (dl_cell cell = 0; cell < planner->grid->cells && !dl_is_late_at(planner->deadline, (size_t)cell); cell++) {
        int steps = dl_field_at(distance, cell);
        float left = steps == DL_UNREACHABLE ? 0 : (float)steps;
        worth[planner->square[cell]] = -costs.step - costs.distance * left;
    }
    worth[planner->square[goal]] += costs.step;
    const uint8_t *there = crowd ? crowd->there + (size_t)horizon * (size_t)crowd->squares : NULL;
    for (int s = 0; there && s < planner->squares; s++) worth[s] -= costs.collision * (float)there[s];
}

/* worth[1..horizon] for what the agent can have reached. False when time is out. */
static bool fill_worth(dl_likeliest *planner, dl_cell start, int home, int horizon, const float *score,
                       dl_likeliest_costs costs, const dl_crowd *crowd)
{
    size_t looked = 0, seen = 0; /* squares */
    for (int t = horizon - 1; t > 0; t--) {
        int first, last;
        find_band(planner, start, t, &first, &last);
        seen += (size_t)(last - first);
        if (seen - looked >= DL_LOOK_TURNS) {
            if (dl_is_late(planner->deadline)) return false;
            looked = seen;
        }
        float *now = worth_at(planner, t);
        const float *later = worth_at(planner, t + 1), *row = score + (size_t)t * DL_ACTIONS;
        if (crowd)
            relax_among(later, planner->toll, planner->stride, row, (crowded_step){crowd, t, costs.collision}, first,
                        last, now);
        else
            relax(later, planner->toll, planner->stride, row, first, last, now);
        now[home] += costs.step;
    }
    return true;
}

float dl_likeliest_path(dl_likeliest *planner, const dl_field *distance, dl_cell goal, int horizon, const float *score,
                        dl_likeliest_costs costs, const dl_crowd *crowd, dl_cell *cells)
{
    const dl_grid *grid = planner->grid;
    assert(cells[0] >= 0 && cells[0] < grid->cells && goal >= 0 && goal < grid->cells);
    assert(!crowd || crowd->horizon == horizon);
    if (!reserve(planner, horizon)) return -INFINITY;
    set_tolls(planner, costs.step);
    set_last_worth(planner, distance, goal, horizon, costs, crowd);
    if (!fill_worth(planner, cells[0], planner->square[goal], horizon, score, costs, crowd)) return -INFINITY;
    float value = 0;
    for (int t = 0; t < horizon; t++) {
        const float *next = worth_at(planner, t + 1), *row = score + (size_t)t * DL_ACTIONS;
        crowded_step among = {crowd, t, costs.collision};
        int here = planner->square[cells[t]], choice = DL_STAY;
        float best = 2 * FORBIDDEN;
        for (int a = 0; a < DL_ACTIONS; a++) {
            float worth = next[here + planner->offset[a]] + row[a] - swap_cost(among, planner, here, a);
            if (worth > best) best = worth, choice = a;
        }
        if (t == 0) value = best;
        cells[t + 1] = choice == DL_STAY ? cells[t] : grid->neighbor[cells[t]][choice - 1];
        assert(cells[t + 1] != DL_NO_CELL);
    }
    return value;
}

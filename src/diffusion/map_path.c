#include "diffusion/map_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "diffusion/tokens.h"
#include "mapf/distance.h"

/* Far below any sum of scores, yet adding a score to it is not lost in overflow. */
static const float FORBIDDEN = -1e9f;

/* The map in a frame of one blocked square, row by row, so that a step is a constant offset and a whole timestep is one
 * loop without branches. worth[t] holds, for each square an agent can have reached by t, the best value of the rest of
 * the path from there, the toll of the square itself included. */
struct dl_map_planner {
    const dl_grid *grid;
    int stride, squares;        /* of the framed map */
    int offset[DL_ACTIONS];     /* in the framed map */
    int32_t *square;            /* [cells] */
    float *toll;                /* [squares]: of being on a square that is not the goal */
    float step;                 /* the step cost `toll` was made for */
    uint8_t *token[DL_ACTIONS]; /* [squares] each: the relative token of an action, for the agent at hand */
    float *worth;               /* [capacity][squares] */
    int capacity;
};

dl_map_planner *dl_map_planner_create(const dl_grid *grid)
{
    dl_map_planner *planner = DL_NEW(dl_map_planner);
    planner->grid = grid;
    planner->stride = grid->width + 2;
    planner->squares = (grid->height + 2) * planner->stride;
    const int offset[DL_ACTIONS] = {0, -planner->stride, planner->stride, -1, 1};
    memcpy(planner->offset, offset, sizeof offset);
    planner->square = DL_ARRAY(int32_t, grid->cells);
    planner->toll = DL_ARRAY(float, planner->squares);
    for (dl_cell cell = 0; cell < grid->cells; cell++) {
        difflns_cell at = dl_grid_position(grid, cell);
        planner->square[cell] = (at.row + 1) * planner->stride + at.col + 1;
    }
    planner->step = -1; /* no toll yet */
    return planner;
}

void dl_map_planner_free(dl_map_planner *planner)
{
    if (!planner) return;
    for (int a = 0; a < DL_ACTIONS; a++) free(planner->token[a]);
    free(planner->square);
    free(planner->toll);
    free(planner->worth);
    free(planner);
}

static void set_tolls(dl_map_planner *planner, float step)
{
    if (planner->step == step) return;
    for (int s = 0; s < planner->squares; s++) planner->toll[s] = FORBIDDEN;
    for (dl_cell cell = 0; cell < planner->grid->cells; cell++) planner->toll[planner->square[cell]] = -step;
    planner->step = step;
}

static void set_tokens(dl_map_planner *planner, const uint16_t *distance)
{
    for (int a = 0; a < DL_ACTIONS; a++)
        if (!planner->token[a]) planner->token[a] = DL_ARRAY(uint8_t, planner->squares);
    for (dl_cell cell = 0; cell < planner->grid->cells; cell++) {
        uint8_t token[DL_ACTIONS];
        dl_relative_tokens(planner->grid, distance, cell, token);
        for (int a = 0; a < DL_ACTIONS; a++) planner->token[a][planner->square[cell]] = token[a];
    }
}

static float *worth_at(const dl_map_planner *planner, int time)
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

/* The same where an action's score depends on what it means on the square. */
static void relax_relative(const dl_map_planner *planner, const float *restrict later, const float *score, int first,
                           int last, float *restrict now)
{
    for (int s = first; s <= last; s++) {
        float best = later[s] + score[planner->token[DL_STAY][s]];
        for (int a = 1; a < DL_ACTIONS; a++)
            best = larger(best, later[s + planner->offset[a]] + score[planner->token[a][s]]);
        now[s] = best + planner->toll[s];
    }
}

static float *last_worth(const dl_map_planner *planner, const uint16_t *distance, dl_cell goal, int horizon,
                         dl_map_costs costs)
{
    float *worth = worth_at(planner, horizon);
    for (int s = 0; s < planner->squares; s++) worth[s] = FORBIDDEN;
    for (dl_cell cell = 0; cell < planner->grid->cells; cell++) {
        float left = distance[cell] == DL_UNREACHABLE ? 0 : (float)distance[cell];
        worth[planner->square[cell]] = -costs.step - costs.distance * left;
    }
    worth[planner->square[goal]] += costs.step;
    return worth;
}

float dl_map_path(dl_map_planner *planner, const uint16_t *distance, dl_cell start, dl_cell goal, int horizon,
                  const float *score, int alphabet, dl_map_costs costs, dl_cell *cells)
{
    const dl_grid *grid = planner->grid;
    bool relative = alphabet != DL_ACTIONS;
    set_tolls(planner, costs.step);
    if (relative) set_tokens(planner, distance);
    if (horizon + 1 > planner->capacity) {
        free(planner->worth);
        planner->capacity = horizon + 1;
        planner->worth = dl_aligned(sizeof(float) * (size_t)planner->capacity * (size_t)planner->squares);
        for (int t = 0; t < planner->capacity; t++) /* the frame's first and last row are read, never written */
            for (int s = 0; s < planner->squares; s++) worth_at(planner, t)[s] = FORBIDDEN;
    }
    int row = dl_grid_position(grid, start).row, home = planner->square[goal];
    float *later = last_worth(planner, distance, goal, horizon, costs);
    for (int t = horizon - 1; t > 0; t--) {
        int top = row - t > 0 ? row - t : 0, bottom = row + t < grid->height ? row + t : grid->height - 1;
        int first = (top + 1) * planner->stride, last = (bottom + 2) * planner->stride - 1;
        float *now = worth_at(planner, t);
        if (relative)
            relax_relative(planner, later, score + (size_t)t * (size_t)alphabet, first, last, now);
        else
            relax(later, planner->toll, planner->stride, score + (size_t)t * (size_t)alphabet, first, last, now);
        now[home] += costs.step;
        later = now;
    }
    cells[0] = start;
    float value = 0;
    for (int t = 0; t < horizon; t++) {
        const float *next = worth_at(planner, t + 1), *row_score = score + (size_t)t * (size_t)alphabet;
        int here = planner->square[cells[t]], choice = DL_STAY;
        float best = 2 * FORBIDDEN;
        for (int a = 0; a < DL_ACTIONS; a++) {
            float worth = next[here + planner->offset[a]] + row_score[relative ? planner->token[a][here] : a];
            if (worth > best) best = worth, choice = a;
        }
        if (t == 0) value = best;
        cells[t + 1] = choice == DL_STAY ? cells[t] : grid->neighbor[cells[t]][choice - 1];
    }
    return value;
}

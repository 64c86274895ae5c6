/* Mazes by wall growing (after PRIMAL2): short walls are planted on even-even cells of a grid with a wall ring around
 * it and grow two cells a step, rather straight on than around corners. The ring is cut off at the end, so that walls
 * which grew from it touch the border. Two details that prose leaves open (what is planted, what counts as the last
 * direction) were fitted to the reference sample: see tests/unit/test_generate.c. */
#include <string.h>

#include "generate/generate_map.h"

typedef struct maze {
    int height, width; /* with the ring; odd, so that the ring lies on even rows and columns */
    uint8_t *wall;     /* [height*width] */
} maze;

typedef struct step {
    int row, col;
} step;

/* By direction (grid.h): up, down, left, right. */
static const step STEP[DL_DIRECTIONS] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
enum { NO_DIRECTION = -1 };

static uint8_t *wall_at(const maze *m, int row, int col)
{
    return &m->wall[row * m->width + col];
}

static bool inside(const maze *m, int row, int col)
{
    return row >= 0 && row < m->height && col >= 0 && col < m->width;
}

/* One of the directions with a cell two away, by weight: `straight` millionths for going on, the rest of the million
 * for each turn; all alike at the first step and when no weight is left. */
static int pick_direction(const maze *m, dl_rng *rng, step at, int last, int64_t straight)
{
    int candidate[DL_DIRECTIONS], count = 0;
    int64_t weight[DL_DIRECTIONS], total = 0;
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        if (!inside(m, at.row + 2 * STEP[d].row, at.col + 2 * STEP[d].col)) continue;
        candidate[count] = d;
        weight[count] = d == last ? straight : DL_MILLION - straight;
        total += weight[count++];
    }
    if (last == NO_DIRECTION || total == 0) return candidate[dl_rng_below(rng, (uint32_t)count)];
    int64_t ticket = dl_rng_below(rng, (uint32_t)total);
    int pick = 0;
    while (ticket >= weight[pick]) ticket -= weight[pick++];
    return candidate[pick];
}

static void grow_wall(const maze *m, dl_rng *rng, int length, int64_t straight)
{
    /* The far lines of the ring are never planted: walls touch the border only at the top and on the left. */
    step at;
    at.row = 2 * (int)dl_rng_below(rng, (uint32_t)m->height / 2);
    at.col = 2 * (int)dl_rng_below(rng, (uint32_t)m->width / 2);
    *wall_at(m, at.row, at.col) = 1;
    int last = NO_DIRECTION;
    for (int i = 0; i < length; i++) {
        /* A blocked step turns the head all the same, so a wall that meets another mostly ends there. */
        int d = last = pick_direction(m, rng, at, last, straight);
        step next = {at.row + 2 * STEP[d].row, at.col + 2 * STEP[d].col};
        if (*wall_at(m, next.row, next.col)) continue;
        *wall_at(m, next.row, next.col) = 1;
        *wall_at(m, at.row + STEP[d].row, at.col + STEP[d].col) = 1;
        at = next;
    }
}

static dl_status check(const dl_generate_params *params, dl_error *err)
{
    if (params->height % 2 == 0 || params->width % 2 == 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: maze of height %d and width %d: expected odd numbers",
                       params->family, params->height, params->width);
    if (params->wall_length < 1 || params->wall_length > DL_MAX_SIDE)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: wall length %d: expected 1 to %d", params->family,
                       params->wall_length, DL_MAX_SIDE);
    return DIFFLNS_OK;
}

static int most_free_cells(const dl_generate_params *params)
{
    return params->height * params->width;
}

static bool draw(const dl_generate_params *params, dl_rng *rng, dl_arena *arena, uint8_t *blocked)
{
    maze m = {.height = params->height + 2, .width = params->width + 2};
    int area = m.height * m.width;
    m.wall = dl_arena_calloc(arena, (size_t)area);
    if (!m.wall) return false;
    memset(wall_at(&m, 0, 0), 1, (size_t)m.width);
    memset(wall_at(&m, m.height - 1, 0), 1, (size_t)m.width);
    for (int row = 0; row < m.height; row++) *wall_at(&m, row, 0) = *wall_at(&m, row, m.width - 1) = 1;
    int64_t walls = area * dl_millionths(params->density) / DL_MILLION / params->wall_length;
    int64_t straight = dl_millionths(params->straightness);
    for (int64_t i = 0; i < walls; i++) grow_wall(&m, rng, params->wall_length, straight);
    for (int row = 0; row < params->height; row++)
        memcpy(&blocked[row * params->width], wall_at(&m, row + 1, 1), (size_t)params->width);
    return true;
}

const dl_map_maker DL_MAZE_MAPS = {check, most_free_cells, draw};

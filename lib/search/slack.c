#include "search/slack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

typedef struct loosener {
    dl_planner *planner;
    dl_rng *rng;
    uint16_t *from_start; /* [cells]: distances from the agent's start */
    dl_cell *queue;       /* [cells] */
    int32_t *pause;       /* waits before each step of the path */
    int pause_room;
} loosener;

/* A neighbor nearer to where `distance` is measured from, any of them. */
static dl_cell step_down(loosener *l, const uint16_t *distance, dl_cell cell)
{
    const dl_cell *neighbor = l->planner->instance->grid->neighbor[cell];
    dl_cell drawn = DL_NO_CELL;
    uint32_t count = 0;
    for (int d = 0; d < DL_DIRECTIONS; d++)
        if (neighbor[d] != DL_NO_CELL && distance[neighbor[d]] < distance[cell] && dl_rng_below(l->rng, ++count) == 0)
            drawn = neighbor[d];
    return drawn;
}

/* A cell over which the way is at most `stretch` longer than the shortest. */
static dl_cell draw_via(loosener *l, const uint16_t *to_goal, dl_cell start, int stretch)
{
    dl_cell drawn = start;
    uint32_t count = 0;
    for (dl_cell cell = 0; cell < l->planner->instance->grid->cells; cell++) {
        if (to_goal[cell] == DL_UNREACHABLE) continue;
        if (l->from_start[cell] + to_goal[cell] > to_goal[start] + stretch) continue;
        if (dl_rng_below(l->rng, ++count) == 0) drawn = cell;
    }
    return drawn;
}

/* start -> via -> goal, into the track. */
static void lay_path(loosener *l, dl_track *track, const uint16_t *to_goal, dl_cell start, dl_cell via)
{
    int half = via == start ? 0 : l->from_start[via];
    int cost = half + to_goal[via];
    dl_track_reserve(track, cost);
    track->cost = cost;
    track->at[half] = via;
    for (int t = half; t > 0; t--) track->at[t - 1] = step_down(l, l->from_start, track->at[t]);
    for (int t = half; t < cost; t++) track->at[t + 1] = step_down(l, to_goal, track->at[t]);
}

static void insert_waits(loosener *l, dl_track *track, int waits)
{
    int steps = track->cost;
    if (waits == 0 || steps == 0) return; /* waits after the arrival are no slack */
    DL_OR_ABORT(DL_GROW(l->pause, l->pause_room, steps));
    assert(l->pause);
    memset(l->pause, 0, sizeof *l->pause * (size_t)steps);
    for (int i = 0; i < waits; i++) l->pause[dl_rng_below(l->rng, (uint32_t)steps)]++;
    dl_track_reserve(track, steps + waits);
    int to = steps + waits;
    track->cost = to;
    track->at[to--] = track->at[steps];
    for (int t = steps - 1; t >= 0; t--)
        for (int i = 0; i <= l->pause[t]; i++) track->at[to--] = track->at[t];
}

void dl_slack_paths(dl_planner *p, dl_rng *rng, const dl_slack *slack)
{
    const dl_grid *grid = p->instance->grid;
    loosener l = {.planner = p, .rng = rng};
    l.from_start = DL_ARRAY(uint16_t, grid->cells);
    l.queue = DL_ARRAY(dl_cell, grid->cells);
    dl_planner_clear(p);
    for (int agent = 0; agent < p->instance->agents; agent++) {
        if (slack->deadline && dl_deadline_passed(slack->deadline)) break;
        dl_cell start = p->instance->start[agent], via = start;
        const uint16_t *to_goal = dl_distance_acquire(p->distance, agent);
        if (slack->detour > 0 && dl_rng_unit(rng) < slack->detour) {
            dl_distance_bfs(grid, start, l.from_start, l.queue);
            via = draw_via(&l, to_goal, start, slack->stretch);
        }
        lay_path(&l, &p->track[agent], to_goal, start, via);
        dl_distance_release(p->distance, agent);
        insert_waits(&l, &p->track[agent], (int)dl_rng_below(rng, (uint32_t)slack->waits + 1));
    }
    free(l.from_start);
    free(l.queue);
    free(l.pause);
}

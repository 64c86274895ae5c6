#include "lns/slack.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Of a path, which may have millions: each asks for the distances of all neighbors. */
enum { STEPS_BETWEEN_LOOKS = 4096 };

typedef struct loosener {
    dl_planner *planner;
    dl_rng *rng;
    const dl_deadline *deadline; /* may be NULL */
    dl_field from_start;         /* distances from the agent's start */
    int32_t *pause;              /* waits before each step of the path */
    int pause_room;
} loosener;

/* A neighbor nearer to where `distance` is measured from, any of them. */
static dl_cell step_down(loosener *l, const dl_field *distance, dl_cell cell)
{
    const dl_cell *neighbor = l->planner->instance->grid->neighbor[cell];
    dl_cell drawn = DL_NO_CELL;
    int here = dl_field_at(distance, cell);
    uint32_t count = 0;
    for (int d = 0; d < DL_DIRECTIONS; d++)
        if (neighbor[d] != DL_NO_CELL && dl_field_at(distance, neighbor[d]) < here &&
            dl_rng_below(l->rng, ++count) == 0)
            drawn = neighbor[d];
    return drawn;
}

/* A cell over which the way is at most `stretch` longer than the shortest. */
static dl_cell draw_via(loosener *l, const dl_field *to_goal, dl_cell start, int stretch)
{
    dl_cell drawn = start;
    int longest = dl_field_at(to_goal, start) + stretch;
    uint32_t count = 0;
    for (dl_cell cell = 0; cell < l->planner->instance->grid->cells; cell++) {
        if (dl_field_at(&l->from_start, cell) + dl_field_at(to_goal, cell) > longest) continue;
        if (dl_rng_below(l->rng, ++count) == 0) drawn = cell;
    }
    return drawn;
}

static bool is_late(const loosener *l, int step)
{
    return step % STEPS_BETWEEN_LOOKS == STEPS_BETWEEN_LOOKS - 1 && dl_is_late(l->deadline);
}

/* start -> via -> goal, into the track, which is none when time is out. False when memory is, here and below. */
static bool lay_path(loosener *l, dl_track *track, const dl_field *to_goal, dl_cell start, dl_cell via)
{
    int half = via == start ? 0 : dl_field_at(&l->from_start, via);
    int cost = half + dl_field_at(to_goal, via);
    if (!dl_track_reserve(track, cost)) return false;
    track->cost = DL_NO_TRACK;
    track->at[half] = via;
    for (int t = half; t > 0; t--) {
        if (is_late(l, t)) return true;
        track->at[t - 1] = step_down(l, &l->from_start, track->at[t]);
    }
    for (int t = half; t < cost; t++) {
        if (is_late(l, t)) return true;
        track->at[t + 1] = step_down(l, to_goal, track->at[t]);
    }
    track->cost = cost;
    return true;
}

/* The prefix of the route, and shortest ways from goal to goal after it. False when memory or time is out. */
static bool lay_errand(loosener *l, dl_track *track, const dl_route *route, int agent)
{
    dl_planner *p = l->planner;
    int cost = route->time;
    dl_cell at = route->from;
    bool fits = dl_track_reserve(track, cost);
    if (fits) track->at[cost] = at; /* what comes before is there */
    for (int leg = 0; leg < route->legs && fits; leg++) {
        const dl_field *distance = dl_distance_acquire_goal(p->distance, agent, route->visited + leg);
        int left = distance ? dl_field_at(distance, at) : DL_UNREACHABLE;
        bool known = left != DL_UNREACHABLE;
        fits = !known || dl_track_reserve(track, cost + left);
        for (; known && fits && left > 0; left--) {
            known = !is_late(l, left);
            track->at[++cost] = at = step_down(l, distance, at);
        }
        if (distance) dl_distance_release_goal(p->distance, agent, route->visited + leg);
        if (known) continue;
        if (dl_distance_starved(p->distance)) p->exhausted = true;
        return false;
    }
    if (!fits) {
        p->exhausted = true;
        return false;
    }
    if (cost == route->time) cost = dl_instance_prefix_arrival(p->instance, agent);
    track->cost = cost <= p->last_time ? cost : DL_NO_TRACK;
    return true;
}

/* Waits after the time `first`. */
static bool insert_waits(loosener *l, dl_track *track, int first, int waits)
{
    int steps = track->cost - first, room = l->planner->last_time - track->cost;
    if (waits > room) waits = room;
    if (waits <= 0 || steps <= 0) return true; /* waits after the arrival are no slack */
    if (!DL_GROW(l->pause, l->pause_room, steps) || !dl_track_reserve(track, track->cost + waits)) return false;
    memset(l->pause, 0, sizeof *l->pause * (size_t)steps);
    for (int i = 0; i < waits; i++) l->pause[dl_rng_below(l->rng, (uint32_t)steps)]++;
    int to = track->cost + waits;
    track->at[to] = track->at[track->cost];
    track->cost = to--;
    for (int t = steps - 1; t >= 0; t--)
        for (int i = 0; i <= l->pause[t]; i++) track->at[to--] = track->at[first + t];
    return true;
}

void dl_slack_paths(dl_planner *p, dl_rng *rng, const dl_slack *slack)
{
    const dl_grid *grid = p->instance->grid;
    loosener l = {.planner = p, .rng = rng, .deadline = slack->deadline};
    dl_planner_clear(p);
    for (int agent = 0; agent < p->instance->agents && !p->exhausted; agent++) {
        if (slack->deadline && dl_deadline_passed(slack->deadline)) break;
        dl_route route = dl_planner_route(p, agent);
        if (route.time > 0 || route.legs > 1) {
            if (!lay_errand(&l, &p->track[agent], &route, agent)) break;
            int waits = (int)dl_rng_below(rng, (uint32_t)slack->waits + 1);
            if (!insert_waits(&l, &p->track[agent], route.time, waits)) p->exhausted = true;
            continue;
        }
        dl_cell start = route.from, via = start;
        const dl_field *to_goal = dl_planner_acquire(p, agent);
        if (!to_goal) break;
        if (dl_field_at(to_goal, start) == DL_UNREACHABLE) { /* time or memory is out */
            p->exhausted = dl_distance_starved(p->distance);
            dl_distance_release(p->distance, agent);
            break;
        }
        /* On a large map nobody looks at every cell for the sake of one agent. */
        if (slack->detour > 0 && dl_rng_unit(rng) < slack->detour && !dl_grid_is_large(grid) &&
            dl_field_fill(&l.from_start, grid, start, slack->deadline))
            via = draw_via(&l, to_goal, start, slack->stretch);
        bool fits = lay_path(&l, &p->track[agent], to_goal, start, via);
        dl_distance_release(p->distance, agent);
        int waits = (int)dl_rng_below(rng, (uint32_t)slack->waits + 1);
        if (!fits || !insert_waits(&l, &p->track[agent], 0, waits)) p->exhausted = true;
    }
    dl_field_free(&l.from_start);
    free(l.pause);
}

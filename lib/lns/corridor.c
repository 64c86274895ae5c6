#include "lns/corridor.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Room for so many owners a list, on average: as many as there are on the maps of the paper. */
enum { KEPT_OWNERS = 16 };

dl_corridor *dl_corridor_create(int cells, int agents)
{
    dl_corridor *c = DL_NEW(dl_corridor);
    if (!c) return NULL;
    size_t steps = sizeof(dl_corridor_step) * (DL_DIRECTIONS * (size_t)cells + 1);
    c->cells = cells;
    c->settled = DL_ARRAY(uint32_t, cells);
    c->from = dl_malloc(sizeof *c->from * (size_t)cells);
    c->queue = dl_malloc(steps); /* 48 bytes a cell each: on large maps it takes a while to clear them */
    c->seeds = dl_malloc(steps);
    c->next = dl_malloc(steps);
    c->known = DL_ARRAY(dl_corridor_list, DL_DIRECTIONS * (size_t)agents);
    c->used = 1; /* a list never begins at 0 */
    c->room = c->used + KEPT_OWNERS * DL_DIRECTIONS * agents;
    c->pool = dl_malloc(sizeof *c->pool * (size_t)c->room);
    if (c->settled && c->from && c->queue && c->seeds && c->next && c->known && c->pool) return c;
    dl_corridor_free(c);
    return NULL;
}

void dl_corridor_free(dl_corridor *c)
{
    if (!c) return;
    free(c->settled);
    free(c->from);
    free(c->queue);
    free(c->seeds);
    free(c->next);
    free(c->known);
    free(c->pool);
    free(c);
}

void dl_corridor_begin(dl_corridor *c)
{
    if (++c->stamp) return;
    memset(c->settled, 0, sizeof *c->settled * (size_t)c->cells);
    c->stamp = 1;
}

/* Levels are numbers of goals visited; inside a level both the cells entered from the level below and those found in it
 * come in order of length. False when time is out. */
static bool corridor_search(dl_corridor *c, const dl_planner *p, int agent, int turn, const dl_deadline *deadline)
{
    const dl_grid *grid = p->instance->grid;
    dl_cell start = p->instance->start[agent], goal = p->instance->goal[agent];
    dl_corridor_begin(c);
    int seeds = 1, next = 0;
    size_t steps = 0;
    c->seeds[0] = (dl_corridor_step){start, start, 0};
    while (c->settled[goal] != c->stamp) {
        int seed = 0, head = 0, tail = 0;
        while (c->settled[goal] != c->stamp && (seed < seeds || head < tail)) {
            bool seed_first = head == tail || (seed < seeds && c->seeds[seed].length <= c->queue[head].length);
            dl_corridor_step step = seed_first ? c->seeds[seed++] : c->queue[head++];
            if (dl_is_late_at(deadline, steps++)) return false;
            if (c->settled[step.cell] == c->stamp) continue;
            c->settled[step.cell] = c->stamp;
            c->from[step.cell] = step.from;
            for (int k = 0; k < DL_DIRECTIONS; k++) {
                dl_cell v = grid->neighbor[step.cell][(k + turn) % DL_DIRECTIONS];
                if (v == DL_NO_CELL || c->settled[v] == c->stamp) continue;
                dl_corridor_step further = {v, step.cell, step.length + 1};
                bool foreign_goal = dl_planner_goal_owner(p, v) >= 0 && v != goal;
                if (foreign_goal)
                    c->next[next++] = further;
                else
                    c->queue[tail++] = further;
            }
        }
        dl_corridor_step *swap = c->seeds;
        c->seeds = c->next;
        c->next = swap;
        seeds = next;
        next = 0;
    }
    return true;
}

int dl_corridor_goals(dl_corridor *c, const dl_planner *p, int agent, int turn, int32_t *list,
                      const dl_deadline *deadline)
{
    assert(turn >= 0 && turn < DL_DIRECTIONS && agent >= 0 && agent < p->instance->agents);
    dl_corridor_list *known = &c->known[(size_t)agent * DL_DIRECTIONS + (size_t)turn];
    if (known->first > 0) { /* the search would be a tenth of all of repair */
        memcpy(list, c->pool + known->first, sizeof *list * (size_t)known->count);
        return known->count;
    }
    if (!corridor_search(c, p, agent, turn, deadline)) return -1;
    int count = 0;
    dl_cell start = p->instance->start[agent];
    for (dl_cell cell = c->from[p->instance->goal[agent]]; cell != start; cell = c->from[cell]) {
        int owner = dl_planner_goal_owner(p, cell);
        if (owner >= 0 && owner != agent) list[count++] = owner;
    }
    if (count > c->room - c->used) return count;
    memcpy(c->pool + c->used, list, sizeof *list * (size_t)count);
    *known = (dl_corridor_list){c->used, count};
    c->used += count;
    assert(c->used <= c->room);
    return count;
}

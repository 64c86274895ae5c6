#include "world.h"

#include <stdlib.h>
#include <string.h>

uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

int below(uint64_t *state, int n)
{
    return (int)(next_random(state) % (uint64_t)n);
}

bool is_free(const grid *g, difflns_cell cell)
{
    return cell.row >= 0 && cell.col >= 0 && cell.row < g->height && cell.col < g->width &&
           !g->blocked[cell.row * g->width + cell.col];
}

bool same_cell(difflns_cell a, difflns_cell b)
{
    return a.row == b.row && a.col == b.col;
}

difflns_cell random_cell(uint64_t *state, const grid *g)
{
    int cell = below(state, g->height * g->width);
    return (difflns_cell){cell / g->width, cell % g->width};
}

static const int MOVE[5][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};

int distance(const grid *g, difflns_cell from, difflns_cell to)
{
    if (!is_free(g, from) || !is_free(g, to)) return -1;
    int steps[MOST_CELLS], queue[MOST_CELLS], head = 0, tail = 0;
    memset(steps, -1, sizeof steps);
    steps[from.row * g->width + from.col] = 0;
    queue[tail++] = from.row * g->width + from.col;
    while (head < tail) {
        int at = queue[head++];
        for (int m = 1; m < 5; m++) {
            difflns_cell next = {at / g->width + MOVE[m][0], at % g->width + MOVE[m][1]};
            if (!is_free(g, next) || steps[next.row * g->width + next.col] >= 0) continue;
            steps[next.row * g->width + next.col] = steps[at] + 1;
            queue[tail++] = next.row * g->width + next.col;
        }
    }
    return steps[to.row * g->width + to.col];
}

static bool step_is_legal(const grid *g, int agents, const difflns_cell *from, const difflns_cell *to)
{
    for (int i = 0; i < agents; i++) {
        if (!is_free(g, to[i])) return false;
        if (from && abs(from[i].row - to[i].row) + abs(from[i].col - to[i].col) > 1) return false;
        for (int j = 0; j < i; j++) {
            if (same_cell(to[i], to[j])) return false;
            if (from && same_cell(from[i], to[j]) && same_cell(from[j], to[i])) return false;
        }
    }
    return true;
}

bool valid_until(const tasks *t, const paths *p, int time)
{
    if (p->agents != t->agents) return false;
    for (int i = 0; i < t->agents; i++)
        if (!same_cell(p->at[0][i], t->start[i])) return false;
    for (int now = 0; now <= time && now < p->times; now++)
        if (!step_is_legal(&t->grid, t->agents, now > 0 ? p->at[now - 1] : NULL, p->at[now])) return false;
    return true;
}

bool valid(const tasks *t, const paths *p)
{
    if (!valid_until(t, p, p->times)) return false;
    for (int i = 0; i < t->agents; i++)
        if (!same_cell(p->at[p->times - 1][i], t->goal[i])) return false;
    return true;
}

static int arrival(const paths *p, int agent)
{
    int time = p->times - 1;
    while (time > 0 && same_cell(p->at[time - 1][agent], p->at[p->times - 1][agent])) time--;
    return time;
}

int64_t soc(const paths *p)
{
    int64_t sum = 0;
    for (int i = 0; i < p->agents; i++) sum += arrival(p, i);
    return sum;
}

int makespan(const paths *p)
{
    int last = 0;
    for (int i = 0; i < p->agents; i++)
        if (arrival(p, i) > last) last = arrival(p, i);
    return last;
}

/* ---- Joint states */

enum { MOST_STATES = 20000 };

bool joint_search_is_small(const tasks *t)
{
    double states = 1;
    for (int i = 0; i < t->agents; i++) states *= t->grid.height * t->grid.width;
    return states <= MOST_STATES;
}

static int code_of(const tasks *t, const difflns_cell *at)
{
    int code = 0;
    for (int i = 0; i < t->agents; i++)
        code = code * t->grid.height * t->grid.width + at[i].row * t->grid.width + at[i].col;
    return code;
}

static void cells_of(const tasks *t, int code, difflns_cell *at)
{
    int area = t->grid.height * t->grid.width;
    for (int i = t->agents - 1; i >= 0; i--, code /= area)
        at[i] = (difflns_cell){code % area / t->grid.width, code % area % t->grid.width};
}

bool joint_search(const tasks *t)
{
    uint8_t *seen = calloc(MOST_STATES, 1);
    int *queue = malloc(sizeof(int) * MOST_STATES), head = 0, tail = 0, moves = 1;
    for (int i = 0; i < t->agents; i++) moves *= 5;
    queue[tail++] = code_of(t, t->start);
    seen[queue[0]] = 1;
    int goal = code_of(t, t->goal);
    while (head < tail && !seen[goal]) {
        difflns_cell from[MOST_AGENTS], to[MOST_AGENTS];
        cells_of(t, queue[head++], from);
        for (int joint = 0; joint < moves; joint++) {
            for (int i = 0, rest = joint; i < t->agents; i++, rest /= 5)
                to[i] = (difflns_cell){from[i].row + MOVE[rest % 5][0], from[i].col + MOVE[rest % 5][1]};
            if (!step_is_legal(&t->grid, t->agents, from, to)) continue;
            int code = code_of(t, to);
            if (seen[code]) continue;
            seen[code] = 1;
            queue[tail++] = code;
        }
    }
    bool found = seen[goal];
    free(seen);
    free(queue);
    return found;
}

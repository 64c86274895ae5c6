#include "complete/joint_search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    MAX_CELLS = 12, /* four bits a cell, and few enough rings to list them all */
    MAX_RINGS = 256,
    MAX_STATES = 4000000, /* every arrangement of ten cells; a second or two */
    TABLE_SIZE = 1 << 23,
    STEP_RING = 1 << 8 /* a step is agent*16 + cell, or STEP_RING + 2*ring + backward */
};

typedef struct searcher {
    const dl_grid *grid;
    int cells, agents, rings;
    const dl_cell *cell;
    int16_t neighbor[MAX_CELLS][DL_DIRECTIONS];
    struct {
        int length;
        uint32_t mask;
        uint8_t cell[MAX_CELLS];
    } ring[MAX_RINGS];
    int states;
    uint64_t *state; /* the cell of each agent, four bits each */
    int32_t *parent, *table;
    int16_t *step;
} searcher;

static uint64_t factorial_ratio(int cells, int agents)
{
    uint64_t arrangements = 1;
    assert(agents <= cells);
    for (int i = 0; i < agents; i++) arrangements *= (uint64_t)(cells - i);
    return arrangements;
}

static void follow_ring(searcher *s, uint8_t *way, int length, uint32_t used)
{
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        int next = s->neighbor[way[length - 1]][d];
        if (next < 0) continue;
        if (next == way[0] && length >= 4 && way[1] < way[length - 1] && s->rings < MAX_RINGS) {
            s->ring[s->rings].length = length;
            s->ring[s->rings].mask = used;
            memcpy(s->ring[s->rings++].cell, way, (size_t)length);
        }
        if (next <= way[0] || used >> next & 1) continue;
        way[length] = (uint8_t)next;
        follow_ring(s, way, length + 1, used | 1u << next);
    }
}

static void map_component(searcher *s)
{
    for (int i = 0; i < s->cells; i++)
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell next = s->grid->neighbor[s->cell[i]][d];
            s->neighbor[i][d] = -1;
            for (int j = 0; j < s->cells; j++)
                if (s->cell[j] == next) s->neighbor[i][d] = (int16_t)j;
        }
    uint8_t way[MAX_CELLS];
    for (int i = 0; i < s->cells; i++) {
        way[0] = (uint8_t)i;
        follow_ring(s, way, 1, 1u << i);
    }
}

static int cell_of(uint64_t state, int agent)
{
    return (int)(state >> 4 * agent & 15);
}

static uint64_t with_agent_on(uint64_t state, int agent, int cell)
{
    return (state & ~((uint64_t)15 << 4 * agent)) | (uint64_t)cell << 4 * agent;
}

static void visit(searcher *s, uint64_t state, int parent, int step)
{
    uint32_t slot = (uint32_t)((state * 0x9E3779B97F4A7C15u) >> 41);
    for (; s->table[slot]; slot = (slot + 1) & (TABLE_SIZE - 1))
        if (s->state[s->table[slot] - 1] == state) return;
    s->state[s->states] = state;
    s->parent[s->states] = parent;
    s->step[s->states] = (int16_t)step;
    s->table[slot] = ++s->states;
}

static void expand(searcher *s, int index, dl_rules rules)
{
    uint64_t at = s->state[index];
    uint32_t full = 0;
    int agent_on[MAX_CELLS] = {0};
    for (int agent = 0; agent < s->agents; agent++) {
        full |= 1u << cell_of(at, agent);
        agent_on[cell_of(at, agent)] = agent;
    }
    for (int agent = 0; agent < s->agents; agent++)
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            int to = s->neighbor[cell_of(at, agent)][d];
            if (to >= 0 && !(full >> to & 1)) visit(s, with_agent_on(at, agent, to), index, agent * 16 + to);
        }
    for (int r = 0; rules == DL_RULES_MAPF && r < s->rings; r++) {
        if (s->ring[r].mask & ~full) continue;
        int length = s->ring[r].length;
        for (int back = 0; back < 2; back++) {
            uint64_t next = at;
            for (int i = 0; i < length; i++)
                next = with_agent_on(next, agent_on[s->ring[r].cell[i]],
                                     s->ring[r].cell[(i + (back ? length - 1 : 1)) % length]);
            visit(s, next, index, STEP_RING + 2 * r + back);
        }
    }
}

static int find_goal(searcher *s, uint64_t start, uint64_t goal, dl_rules rules, const dl_deadline *deadline)
{
    enum { STATES_BETWEEN_LOOKS_AT_THE_CLOCK = 4096 };
    visit(s, start, -1, 0);
    for (int index = 0; index < s->states; index++) {
        if (s->state[index] == goal) return index;
        if (index % STATES_BETWEEN_LOOKS_AT_THE_CLOCK == 0 && dl_deadline_passed(deadline)) return -1;
        expand(s, index, rules);
    }
    return -1;
}

/* The moves may end in the middle of the way, when memory is out. */
static void play_way_to(const searcher *s, dl_pebbles *p, const int32_t *agent_number, int index)
{
    int length = 0;
    for (int i = index; s->parent[i] >= 0; i = s->parent[i]) length++;
    int16_t *steps = DL_ARRAY(int16_t, length);
    if (!steps) {
        p->exhausted = true;
        return;
    }
    for (int i = index, n = length; n > 0; i = s->parent[i]) steps[--n] = s->step[i];
    for (int n = 0; n < length; n++) {
        if (steps[n] < STEP_RING) {
            dl_pebbles_move(p, p->place[agent_number[steps[n] / 16]], s->cell[steps[n] % 16]);
            continue;
        }
        int r = (steps[n] - STEP_RING) / 2, size = s->ring[r].length;
        bool back = (steps[n] - STEP_RING) & 1;
        dl_cell ring[MAX_CELLS];
        for (int i = 0; i < size; i++) ring[back ? size - 1 - i : i] = s->cell[s->ring[r].cell[i]];
        dl_pebbles_rotate(p, ring, size);
    }
    free(steps);
}

bool dl_joint_search(dl_pebbles *p, const dl_cell *cell, int cells, const int32_t *owner, dl_rules rules,
                     const dl_deadline *deadline)
{
    if (cells > MAX_CELLS) return false;
    int32_t agent_number[MAX_CELLS] = {0};
    uint64_t start = 0, goal = 0;
    searcher *s = DL_NEW(searcher);
    if (!s) {
        p->exhausted = true;
        return false;
    }
    s->grid = p->grid;
    s->cells = cells;
    s->cell = cell;
    for (int i = 0; i < cells; i++)
        if (p->occupant[cell[i]] >= 0) agent_number[s->agents++] = p->occupant[cell[i]];
    uint64_t arrangements = factorial_ratio(cells, s->agents);
    bool found = false;
    if (arrangements <= MAX_STATES) {
        map_component(s);
        for (int agent = 0; agent < s->agents; agent++)
            for (int i = 0; i < cells; i++) {
                if (p->occupant[cell[i]] == agent_number[agent]) start = with_agent_on(start, agent, i);
                if (owner[cell[i]] == agent_number[agent]) goal = with_agent_on(goal, agent, i);
            }
        s->state = DL_ARRAY(uint64_t, arrangements);
        s->parent = DL_ARRAY(int32_t, arrangements);
        s->step = DL_ARRAY(int16_t, arrangements);
        s->table = DL_ARRAY(int32_t, TABLE_SIZE);
        bool fits = s->state && s->parent && s->step && s->table;
        if (!fits) p->exhausted = true;
        int index = fits ? find_goal(s, start, goal, rules, deadline) : -1;
        found = index >= 0;
        if (found) play_way_to(s, p, agent_number, index);
    }
    free(s->state);
    free(s->parent);
    free(s->step);
    free(s->table);
    free(s);
    return found;
}

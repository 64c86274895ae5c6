#include "lacam/constraint.h"

#include <assert.h>

#include "base/mix.h"

/* Levels wider than this are never finished; cutting their width there keeps the arithmetic in range. */
#define WIDEST ((uint64_t)1 << 62)

static uint64_t width_of(const dl_pibt_tables *tables, const dl_cell *at, const uint16_t *order, uint32_t level)
{
    uint64_t width = 1;
    for (uint32_t rank = 0; rank < level; rank++) {
        width *= tables->degree[at[order[rank]]] + 1u;
        if (width >= WIDEST) return WIDEST;
    }
    return width;
}

/* Element `digit` of a pseudo-random order of the actions possible at `cell`. */
static int shuffled_action(const dl_pibt_tables *tables, dl_cell cell, unsigned digit, uint64_t seed)
{
    int action[DL_ACTIONS] = {DL_STAY};
    unsigned count = 1;
    for (unsigned exits = tables->exits[cell]; exits; exits &= exits - 1) action[count++] = __builtin_ctz(exits) + 1;
    for (unsigned k = 0;; k++) {
        unsigned pick = k + (unsigned)(seed % (count - k));
        seed /= count - k;
        if (k == digit) return action[pick];
        action[pick] = action[k];
    }
}

static bool constraint_collides(const dl_cell *at, const dl_constraints *chosen, int agent, dl_cell cell)
{
    for (int k = 0; k < chosen->count; k++) {
        if (chosen->cell[k] == cell) return true;
        if (chosen->cell[k] == at[agent] && at[chosen->agent[k]] == cell) return true;
    }
    return false;
}

dl_constraint_outcome dl_constraint_next(const dl_pibt_tables *tables, const dl_cell *at, const uint16_t *order,
                                         uint64_t seed, dl_constraint_cursor *cursor, dl_constraints *out)
{
    uint32_t agents = (uint32_t)tables->instance->agents;
    if (cursor->index == width_of(tables, at, order, cursor->level)) {
        if (cursor->level == agents) return DL_CONSTRAINT_EXHAUSTED;
        cursor->index = 0;
        cursor->level++;
    }
    assert(cursor->level <= agents);
    uint64_t rest = cursor->index++;
    for (uint32_t rank = cursor->level; rank-- > 0;) { /* the digits, kept where their cells will be */
        unsigned radix = tables->degree[at[order[rank]]] + 1u;
        out->cell[rank] = (dl_cell)(rest % radix);
        rest /= radix;
    }
    out->count = 0;
    for (uint32_t rank = 0; rank < cursor->level; rank++) {
        int agent = order[rank];
        dl_cell cell = at[agent];
        int action = shuffled_action(tables, cell, (unsigned)out->cell[rank], dl_mix64(seed + rank));
        seed = dl_mix64(seed ^ (uint64_t)(action + 1));
        dl_cell wanted = tables->step[cell][action];
        assert(wanted != DL_NO_CELL);
        if (constraint_collides(at, out, agent, wanted)) return DL_CONSTRAINT_REJECTED;
        out->agent[out->count] = (uint16_t)agent;
        out->cell[out->count++] = wanted;
    }
    assert((uint32_t)out->count == cursor->level && rest == 0);
    return DL_CONSTRAINT_READY;
}

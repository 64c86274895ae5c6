#include "complete/biconnected.h"

#include <assert.h>
#include <stdlib.h>

#include "base/block.h"
#include "base/memory.h"

typedef struct finder {
    const dl_grid *grid;
    dl_blocks *blocks;
    int32_t *low;       /* [cells]: the earliest cell seen from the subtree */
    uint8_t *direction; /* [cells]: the next direction to look at */
    dl_cell *stack;     /* cells whose block is not known yet */
    int stacked, seen, members, member_room;
    bool exhausted; /* a member could not be noted */
    const dl_deadline *deadline;
} finder;

static void add_member(finder *f, dl_cell cell, int block)
{
    if (f->exhausted || !DL_GROW(f->blocks->member, f->member_room, f->members + 1)) {
        f->exhausted = true;
        return;
    }
    f->blocks->member[f->members++] = cell;
    f->blocks->block_of[cell] = block;
}

/* The subtree of `child` hangs on `parent` alone: what is stacked above it, with the parent, is one block or a bridge.
 */
static void close_block(finder *f, dl_cell parent, dl_cell child)
{
    dl_blocks *b = f->blocks;
    assert(f->stacked > 0);
    if (f->stack[f->stacked - 1] == child) {
        f->stacked--;
        return;
    }
    int block = b->count++;
    b->first[block] = f->members;
    dl_cell cell;
    do {
        assert(f->stacked > 0);
        cell = f->stack[--f->stacked];
        b->edge_block[cell] = block;
        add_member(f, cell, block);
    } while (cell != child);
    add_member(f, parent, block);
    b->first[b->count] = f->members;
}

static void enter(finder *f, dl_cell cell, dl_cell parent)
{
    assert(f->seen < f->grid->cells && f->blocks->order[cell] < 0);
    f->blocks->parent[cell] = parent;
    f->blocks->order[cell] = f->low[cell] = f->seen;
    f->blocks->visited[f->seen++] = cell;
    f->stack[f->stacked++] = cell;
}

/* False when time is out. */
static bool search_from(finder *f, dl_cell root)
{
    dl_blocks *b = f->blocks;
    enter(f, root, DL_NO_CELL);
    size_t turn = 0;
    for (dl_cell cell = root; cell != DL_NO_CELL; turn++) {
        if (dl_is_late_at(f->deadline, turn)) return false;
        if (f->direction[cell] < DL_DIRECTIONS) {
            dl_cell next = f->grid->neighbor[cell][f->direction[cell]++];
            if (next == DL_NO_CELL || next == b->parent[cell]) continue;
            if (b->order[next] < 0) {
                enter(f, next, cell);
                cell = next;
            } else if (b->order[next] < f->low[cell]) {
                f->low[cell] = b->order[next];
            }
            continue;
        }
        dl_cell parent = b->parent[cell];
        if (parent != DL_NO_CELL) {
            if (f->low[cell] < f->low[parent]) f->low[parent] = f->low[cell];
            if (f->low[cell] >= b->order[parent]) close_block(f, parent, cell);
        }
        cell = parent;
    }
    f->stacked = 0;
    return true;
}

static bool count_edges(const dl_grid *grid, const dl_deadline *deadline, dl_blocks *b)
{
    b->edges = DL_ARRAY(int32_t, b->count);
    if (!b->edges) return false;
    for (dl_cell cell = 0; cell < grid->cells; cell++) {
        if (dl_is_late_at(deadline, (size_t)cell)) return false;
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell next = grid->neighbor[cell][d];
            if (next <= cell) continue; /* absent, or counted from the other side */
            int block = dl_blocks_of_edge(b, cell, next);
            if (block >= 0) b->edges[block]++;
        }
    }
    return true;
}

bool dl_blocks_find(const dl_grid *grid, const dl_deadline *deadline, dl_blocks *b)
{
    size_t cells = (size_t)grid->cells;
    *b = (dl_blocks){0};
    finder f = {.grid = grid, .blocks = b, .deadline = deadline};
    void *scratch = NULL;
    bool fits = !dl_is_late(deadline) &&
                DL_BLOCK(b->memory, DL_CUT(b->first, cells + 1), DL_CUT(b->block_of, cells), DL_CUT(b->parent, cells),
                         DL_CUT(b->order, cells), DL_CUT(b->visited, cells), DL_CUT(b->edge_block, cells)) &&
                DL_BLOCK(scratch, DL_CUT(f.low, cells), DL_CUT(f.direction, cells), DL_CUT(f.stack, cells));
    for (size_t cell = 0; cell < cells && fits; cell++) {
        b->block_of[cell] = b->order[cell] = b->edge_block[cell] = -1;
        fits = !dl_is_late_at(deadline, cell);
    }
    for (dl_cell root = 0; root < grid->cells && fits; root++)
        if (b->order[root] < 0) fits = search_from(&f, root);
    assert(!fits || f.seen == grid->cells);
    fits = fits && !f.exhausted && count_edges(grid, deadline, b);
    free(scratch);
    if (!fits) dl_blocks_free(b);
    return fits;
}

void dl_blocks_free(dl_blocks *b)
{
    free(b->memory);
    free(b->member);
    free(b->edges);
    *b = (dl_blocks){0};
}

int dl_blocks_follow_ring(const dl_grid *grid, const dl_blocks *b, int block, dl_cell first, dl_cell second,
                          dl_cell *ring)
{
    int length = 0;
    dl_cell before = DL_NO_CELL, at = first;
    do {
        ring[length++] = at;
        dl_cell next = length == 1 ? second : DL_NO_CELL;
        for (int d = 0; d < DL_DIRECTIONS && next == DL_NO_CELL; d++) {
            dl_cell cell = grid->neighbor[at][d];
            if (cell != DL_NO_CELL && cell != before && dl_blocks_of_edge(b, at, cell) == block) next = cell;
        }
        assert(next != DL_NO_CELL && length <= dl_blocks_size(b, block));
        before = at;
        at = next;
    } while (at != first);
    return length;
}

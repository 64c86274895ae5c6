#include "complete/exchange.h"

#include <assert.h>
#include <stdlib.h>

#include "base/block.h"
#include "base/memory.h"

typedef struct finder {
    const dl_grid *grid;
    const dl_blocks *blocks;
    const uint8_t *occupied;
    dl_rules rules;
    dl_exchange *x;
    uint8_t *shape;    /* [components] */
    int32_t *below;    /* [cells]: free cells in the depth-first subtree */
    int32_t *owner;    /* [cells]: a unit of the cell's subproblem, -1 = none; see find_units */
    int32_t *leader;   /* union-find over units: blocks first, then one for every cell that may be a junction */
    int32_t *class_id; /* by leader: the class of a subproblem, -1 = none yet */
    dl_cell *ring;     /* [cells]: scratch */
    const dl_deadline *deadline;
} finder;

bool dl_shape_find(const dl_grid *grid, uint8_t *shape)
{
    int32_t *ends = DL_ARRAY(int32_t, grid->components);
    if (!ends) return false;
    for (int id = 0; id < grid->components; id++) shape[id] = DL_SHAPE_RING;
    for (dl_cell cell = 0; cell < grid->cells; cell++) {
        int id = grid->component[cell], degree = dl_grid_degree(grid, cell);
        if (degree < 2) ends[id]++;
        if (degree > 2) shape[id] = DL_SHAPE_BRANCHING;
    }
    for (int id = 0; id < grid->components; id++)
        if (shape[id] == DL_SHAPE_RING && ends[id] > 0) shape[id] = DL_SHAPE_PATH;
    free(ends);
    return true;
}

static int new_class(dl_exchange *x, dl_exchange_kind kind)
{
    assert(x->classes >= 0);
    x->kind[x->classes] = (uint8_t)kind;
    return x->classes++;
}

static int blanks_at(const finder *f, dl_cell cell)
{
    return f->x->blanks[f->grid->component[cell]];
}

/* The free cells that lie beyond the bridge from `from` to `to`. */
static int blanks_behind(const finder *f, dl_cell from, dl_cell to)
{
    int behind = f->blocks->parent[to] == from ? f->below[to] : blanks_at(f, from) - f->below[from];
    assert(behind >= 0 && behind <= blanks_at(f, from));
    return behind;
}

/* False when time is out, here and below. */
static bool count_blanks(finder *f)
{
    const dl_blocks *b = f->blocks;
    for (int i = f->grid->cells - 1; i >= 0; i--) {
        if (dl_is_late_at(f->deadline, (size_t)i)) return false;
        dl_cell cell = b->visited[i];
        int blank = !f->occupied[cell];
        f->below[cell] += blank;
        f->x->blanks[f->grid->component[cell]] += blank;
        if (b->parent[cell] != DL_NO_CELL) f->below[b->parent[cell]] += f->below[cell];
    }
    return true;
}

/* ---- Rings ------------------------------------------------------------------------------------------------------ */

/* The agents on the ring `block`, except on `without`, become a class that turns. */
static void class_that_turns(finder *f, int block, dl_cell without)
{
    int class = new_class(f->x, DL_EXCHANGE_TURN);
    int length = dl_blocks_follow_ring(f->grid, f->blocks, block, f->blocks->member[f->blocks->first[block]],
                                       DL_NO_CELL, f->ring);
    dl_cell first = DL_NO_CELL, last = DL_NO_CELL;
    for (int i = 0; i < length; i++) {
        dl_cell cell = f->ring[i];
        if (!f->occupied[cell] || cell == without) continue;
        f->x->class_of[cell] = class;
        if (first == DL_NO_CELL)
            first = cell;
        else
            f->x->next[last] = cell;
        last = cell;
    }
    if (last != DL_NO_CELL) f->x->next[last] = first;
}

/* ---- One free cell, pebble rules: Wilson's theorem block by block --------------------------------------------------
 */

/* With the free cell at home, each block moves the agents on its cells other than the one through which the free cell
 * enters it: a ring turns them, any other block of a grid (bipartite, so without Wilson's exception) permutes evenly.
 */
static void classes_of_one_blank(finder *f, dl_cell home, uint8_t *seen, dl_cell *queue)
{
    const dl_grid *grid = f->grid;
    const dl_blocks *b = f->blocks;
    int tail = 0;
    queue[tail++] = home;
    seen[home] = 1;
    for (int head = 0; head < tail; head++) {
        dl_cell entry = queue[head];
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell next = grid->neighbor[entry][d];
            if (next == DL_NO_CELL || seen[next]) continue;
            int block = dl_blocks_of_edge(b, entry, next);
            if (block < 0) {
                seen[next] = 1;
                queue[tail++] = next;
                continue;
            }
            int class = -1;
            if (dl_blocks_is_ring(b, block))
                class_that_turns(f, block, entry);
            else
                class = new_class(f->x, DL_EXCHANGE_EVEN);
            for (int i = b->first[block]; i < b->first[block + 1]; i++) {
                dl_cell cell = b->member[i];
                if (cell == entry) continue;
                if (class >= 0) f->x->class_of[cell] = class;
                seen[cell] = 1;
                queue[tail++] = cell;
            }
        }
    }
}

/* ---- Units, subproblems, labels ------------------------------------------------------------------------------------
 */

static int find_leader(finder *f, int unit)
{
    while (f->leader[unit] != unit) unit = f->leader[unit] = f->leader[f->leader[unit]];
    return unit;
}

static void unite(finder *f, int a, int b)
{
    f->leader[find_leader(f, a)] = find_leader(f, b);
}

static bool is_unit(const finder *f, dl_cell cell)
{
    return f->blocks->block_of[cell] >= 0 || dl_grid_degree(f->grid, cell) >= 3;
}

/* Blocks and junctions own their cells; blocks that share a cell are one subproblem. */
static bool find_units(finder *f)
{
    const dl_blocks *b = f->blocks;
    for (int unit = 0; unit < b->count + f->grid->cells; unit++) {
        if (dl_is_late_at(f->deadline, (size_t)unit)) return false;
        f->leader[unit] = unit;
        f->class_id[unit] = -1;
    }
    for (int block = 0; block < b->count; block++)
        for (int i = b->first[block]; i < b->first[block + 1]; i++) unite(f, block, b->block_of[b->member[i]]);
    for (dl_cell cell = 0; cell < f->grid->cells; cell++) {
        if (dl_is_late_at(f->deadline, (size_t)cell)) return false;
        f->owner[cell] = -1;
        if (is_unit(f, cell)) f->owner[cell] = b->block_of[cell] >= 0 ? b->block_of[cell] : b->count + cell;
    }
    return true;
}

/* The cell after `cell` on a corridor entered from `before`, DL_NO_CELL where the corridor ends or forks. */
static dl_cell along_corridor(const dl_grid *grid, dl_cell before, dl_cell cell)
{
    if (dl_grid_degree(grid, cell) != 2) return DL_NO_CELL;
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell next = grid->neighbor[cell][d];
        if (next != DL_NO_CELL && next != before) return next;
    }
    return DL_NO_CELL;
}

/* Two units are one subproblem if the free cells fill the isthmus between them with enough to spare: one to travel, one
 * to step aside. With rotations a full block swallows and returns agents, which saves one free cell at each block.
 * Nobody crosses a longer isthmus: docs/guarantee.md, the isthmus lemma. */
static void join_across(finder *f, dl_cell from, dl_cell to)
{
    dl_cell before = from, cell = to;
    int length = 1;
    for (; cell != DL_NO_CELL && !is_unit(f, cell); length++) {
        dl_cell next = along_corridor(f->grid, before, cell);
        before = cell;
        cell = next;
    }
    if (cell == DL_NO_CELL) return;
    int block_ends = (f->blocks->block_of[from] >= 0) + (f->blocks->block_of[cell] >= 0);
    int reach = blanks_at(f, from) - 2 + (f->rules == DL_RULES_MAPF ? block_ends : 0);
    if (length > reach) return;
    unite(f, f->owner[from], f->owner[cell]);
    before = from;
    for (dl_cell at = to; at != cell;) {
        f->owner[at] = f->owner[from];
        dl_cell next = along_corridor(f->grid, before, at);
        before = at;
        at = next;
    }
}

static void label(finder *f, dl_cell cell, int subproblem)
{
    if (f->class_id[subproblem] < 0) f->class_id[subproblem] = new_class(f->x, DL_EXCHANGE_ALL);
    f->x->class_of[cell] = f->class_id[subproblem];
}

/* The plank beyond the bridge from `cell` to `out`: as many agents as there are free cells elsewhere, less one to step
 * aside (or none, where a block can rotate), can be fetched in. */
static void label_plank(finder *f, dl_cell cell, dl_cell out, int subproblem)
{
    int fetched = blanks_at(f, cell) - blanks_behind(f, cell, out);
    if (f->rules == DL_RULES_PEBBLE || f->blocks->block_of[cell] < 0) fetched--;
    for (dl_cell before = cell, at = out; at != DL_NO_CELL && fetched > 0;) {
        if (f->occupied[at]) {
            label(f, at, subproblem);
            fetched--;
        }
        if (f->owner[at] >= 0) break;
        dl_cell next = along_corridor(f->grid, before, at);
        before = at;
        at = next;
    }
}

static void label_around(finder *f, dl_cell cell)
{
    int subproblem = find_leader(f, f->owner[cell]);
    bool rotates = f->rules == DL_RULES_MAPF && f->blocks->block_of[cell] >= 0, held = false;
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell out = f->grid->neighbor[cell][d];
        if (out == DL_NO_CELL) continue;
        if (f->owner[out] >= 0 && find_leader(f, f->owner[out]) == subproblem) continue;
        if (blanks_behind(f, cell, out) == blanks_at(f, cell) && !rotates) held = true;
        label_plank(f, cell, out, subproblem);
    }
    if (f->occupied[cell] && !held) label(f, cell, subproblem);
}

/* ---- No free cell, MAPF rules: rotations alone
 * ----------------------------------------------------------------------- */

/* Parts joined by blocks that share cells: a lone ring turns, in any other part three rotations exchange two neighbors,
 * so every permutation is reached. */
static bool classes_of_full_parts(finder *f)
{
    const dl_blocks *b = f->blocks;
    int32_t *blocks_in_part = DL_ARRAY(int32_t, b->count);
    if (!blocks_in_part) return false;
    for (int block = 0; block < b->count; block++) blocks_in_part[find_leader(f, block)]++;
    for (int block = 0; block < b->count; block++) {
        dl_cell cell = b->member[b->first[block]];
        if (f->shape[f->grid->component[cell]] != DL_SHAPE_BRANCHING || blanks_at(f, cell) > 0) continue;
        int part = find_leader(f, block);
        if (blocks_in_part[part] == 1 && dl_blocks_is_ring(b, block))
            class_that_turns(f, block, DL_NO_CELL);
        else
            for (int i = b->first[block]; i < b->first[block + 1]; i++) label(f, b->member[i], part);
    }
    free(blocks_in_part);
    return true;
}

/* ---- Everything together
 * --------------------------------------------------------------------------------------------- */

static bool has_labels(const finder *f, dl_cell cell)
{
    int least = f->rules == DL_RULES_MAPF ? 1 : 2;
    return f->shape[f->grid->component[cell]] == DL_SHAPE_BRANCHING && blanks_at(f, cell) >= least;
}

static bool classes_by_labels(finder *f)
{
    for (dl_cell cell = 0; cell < f->grid->cells; cell++) {
        if (dl_is_late_at(f->deadline, (size_t)cell)) return false;
        if (!is_unit(f, cell) || !has_labels(f, cell)) continue;
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell next = f->grid->neighbor[cell][d];
            if (next != DL_NO_CELL && dl_blocks_of_edge(f->blocks, cell, next) < 0) join_across(f, cell, next);
        }
    }
    for (dl_cell cell = 0; cell < f->grid->cells; cell++) {
        if (dl_is_late_at(f->deadline, (size_t)cell)) return false;
        if (f->owner[cell] >= 0 && has_labels(f, cell)) label_around(f, cell);
    }
    return true;
}

static bool classes_of_simple_shapes(finder *f)
{
    const dl_grid *grid = f->grid;
    uint8_t *seen = DL_ARRAY(uint8_t, grid->cells);
    dl_cell *queue = DL_ARRAY(dl_cell, grid->cells);
    bool fits = seen && queue;
    for (int block = 0; block < f->blocks->count; block++) {
        dl_cell cell = f->blocks->member[f->blocks->first[block]];
        if (f->shape[grid->component[cell]] != DL_SHAPE_RING) continue;
        if (f->rules == DL_RULES_MAPF || blanks_at(f, cell) > 0) class_that_turns(f, block, DL_NO_CELL);
    }
    if (f->rules == DL_RULES_PEBBLE && fits)
        for (dl_cell cell = 0; cell < grid->cells; cell++)
            if (!f->occupied[cell] && blanks_at(f, cell) == 1 && f->shape[grid->component[cell]] == DL_SHAPE_BRANCHING)
                classes_of_one_blank(f, cell, seen, queue);
    free(seen);
    free(queue);
    return fits;
}

static bool find_classes(finder *f)
{
    for (dl_cell cell = 0; cell < f->grid->cells; cell++) {
        if (dl_is_late_at(f->deadline, (size_t)cell)) return false;
        f->x->class_of[cell] = f->x->next[cell] = -1;
    }
    if (!count_blanks(f) || !find_units(f) || !classes_of_simple_shapes(f)) return false;
    if (f->rules == DL_RULES_MAPF && !classes_of_full_parts(f)) return false;
    return classes_by_labels(f);
}

bool dl_exchange_find(const dl_grid *grid, const dl_blocks *blocks, const uint8_t *occupied, dl_rules rules,
                      const dl_deadline *deadline, dl_exchange *x)
{
    size_t cells = (size_t)grid->cells, units = cells + (size_t)blocks->count;
    *x = (dl_exchange){0};
    finder f = {.grid = grid, .blocks = blocks, .occupied = occupied, .rules = rules, .x = x, .deadline = deadline};
    void *scratch = NULL;
    bool fits = DL_BLOCK(x->memory, DL_CUT(x->kind, units), DL_CUT(x->class_of, cells), DL_CUT(x->next, cells),
                         DL_CUT(x->blanks, grid->components)) &&
                DL_BLOCK(scratch, DL_CUT(f.shape, grid->components), DL_CUT(f.below, cells), DL_CUT(f.owner, cells),
                         DL_CUT(f.leader, units), DL_CUT(f.class_id, units), DL_CUT(f.ring, cells)) &&
                dl_shape_find(grid, f.shape);
    if (fits) fits = find_classes(&f);
    free(scratch);
    if (!fits) dl_exchange_free(x);
    return fits;
}

void dl_exchange_free(dl_exchange *x)
{
    free(x->memory);
    *x = (dl_exchange){0};
}

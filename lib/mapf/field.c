#include "mapf/field.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Cells measured between two looks at the clock: less than a millisecond. */
enum { POLL_CELLS = 1 << 16 };

/* Entries lie after one that is never unseen, so that DL_NO_CELL may be looked up like any cell. */
enum { GUARD = 1 };
_Static_assert(DL_NO_CELL == -GUARD, "the guard is the entry of DL_NO_CELL");

/* The cells of one distance. */
typedef struct frontier {
    dl_cell *cell;
    int count, room;
} frontier;

static bool reserve(frontier *f, int count)
{
    if (count <= f->room) return true;
    int room = count > 2 * f->room ? count : 2 * f->room;
    dl_cell *grown = dl_realloc(f->cell, (size_t)room, sizeof *grown);
    if (!grown) return false;
    f->cell = grown;
    f->room = room;
    return true;
}

/* Gives the unseen neighbors of `now` the distance `level` and lists them in `next`, which has room for all neighbors;
 * returns how many. Without branches: which neighbors are new is as good as random. */
#define DEFINE_SPREAD(name, type, unseen)                                                                              \
    static int name(const dl_grid *grid, const frontier *now, type level, type *row, dl_cell *next)                    \
    {                                                                                                                  \
        int count = 0;                                                                                                 \
        for (int i = 0; i < now->count; i++) {                                                                         \
            const dl_cell *neighbor = grid->neighbor[now->cell[i]];                                                    \
            for (int d = 0; d < DL_DIRECTIONS; d++) {                                                                  \
                type seen = row[neighbor[d]];                                                                          \
                next[count] = neighbor[d];                                                                             \
                count += seen == (unseen);                                                                             \
                row[neighbor[d]] = seen == (unseen) ? level : seen;                                                    \
            }                                                                                                          \
        }                                                                                                              \
        return count;                                                                                                  \
    }

DEFINE_SPREAD(spread_narrow, uint16_t, UINT16_MAX)
DEFINE_SPREAD(spread_wide, uint32_t, DL_UNREACHABLE)

static bool begin_narrow(dl_field *field, size_t cells)
{
    if (field->wide) dl_field_free(field);
    if (!field->narrow) {
        uint16_t *block = dl_malloc(sizeof *block * (cells + GUARD));
        if (!block) return false;
        field->narrow = block + GUARD;
    }
    memset(field->narrow, 0xFF, sizeof *field->narrow * cells);
    field->narrow[DL_NO_CELL] = 0;
    return true;
}

static bool widen(dl_field *field, size_t cells)
{
    uint32_t *block = dl_malloc(sizeof *block * (cells + GUARD));
    if (!block) return false;
    uint32_t *wide = block + GUARD;
    for (size_t cell = 0; cell < cells; cell++)
        wide[cell] = field->narrow[cell] == UINT16_MAX ? DL_UNREACHABLE : field->narrow[cell];
    wide[DL_NO_CELL] = 0;
    dl_field_free(field);
    field->wide = wide;
    return true;
}

static bool measure(dl_field *field, const dl_grid *grid, dl_cell goal, const dl_deadline *deadline, frontier *now,
                    frontier *next)
{
    size_t cells = (size_t)grid->cells;
    assert(goal >= 0 && goal < grid->cells);
    if (!begin_narrow(field, cells) || !reserve(now, 1)) return false;
    field->narrow[goal] = 0;
    now->cell[now->count++] = goal;
    bool wide = false;
    for (int level = 1, measured = 0; now->count > 0; level++) {
        if (!reserve(next, DL_DIRECTIONS * now->count)) return false;
        if (level == UINT16_MAX) {
            if (!widen(field, cells)) return false;
            wide = true;
        }
        next->count = wide ? spread_wide(grid, now, (uint32_t)level, field->wide, next->cell)
                           : spread_narrow(grid, now, (uint16_t)level, field->narrow, next->cell);
        assert(next->count <= next->room && measured >= 0);
        measured += next->count;
        if (measured >= POLL_CELLS) {
            if (dl_is_late(deadline)) return false;
            measured = 0;
        }
        frontier swap = *now;
        *now = *next;
        *next = swap;
    }
    return true;
}

bool dl_field_fill(dl_field *field, const dl_grid *grid, dl_cell goal, const dl_deadline *deadline)
{
    frontier now = {0}, next = {0};
    bool done = measure(field, grid, goal, deadline, &now, &next);
    free(now.cell);
    free(next.cell);
    return done;
}

void dl_field_free(dl_field *field)
{
    if (field->narrow) free(field->narrow - GUARD);
    if (field->wide) free(field->wide - GUARD);
    *field = (dl_field){0};
}

size_t dl_field_bytes(const dl_field *field, const dl_grid *grid)
{
    return (field->wide ? sizeof *field->wide : sizeof *field->narrow) * (size_t)grid->cells;
}

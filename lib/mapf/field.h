/* A distance field: how far every free cell is from one goal. 16 bits a cell where every distance fits, 32 otherwise;
 * on large maps distances are measured when asked for (reverse_search.h). Read it through dl_field_at. For tools. */
#ifndef DL_MAPF_FIELD_H
#define DL_MAPF_FIELD_H

#include "base/deadline.h"
#include "mapf/edge_costs.h"
#include "mapf/grid.h"
#include "mapf/reverse_search.h"

/* Farther than any cell of the largest map, and times can be added to it without overflow. */
enum { DL_UNREACHABLE = 1 << 29 };

/* Zeroed, it is a field that was never filled. */
typedef struct dl_field {
    uint16_t *narrow; /* [cells]; NULL in a wide field */
    uint32_t *wide;   /* [cells]; NULL in a narrow one */
    /* Both are NULL on large maps: then this is what is asked, and on whose behalf. */
    dl_reverse_search *const *search;
    dl_asker *asker;
} dl_field;

/* Steps from `cell` to the goal; DL_UNREACHABLE if no way leads there, or on a large map if time or memory is out
 * before it is known. */
static inline int dl_field_at(const dl_field *field, dl_cell cell)
{
    if (__builtin_expect(field->narrow != NULL, 1))
        return field->narrow[cell] == UINT16_MAX ? DL_UNREACHABLE : field->narrow[cell];
    if (field->wide) return (int)field->wide[cell];
    return dl_reverse_search_at(*field->search, cell, field->asker);
}

/* A lower bound of it that differs by at most one between neighbors and is had without measuring: exact, except on
 * large maps far from the way between start and goal. Only after the distance of the start was asked for. */
static inline int dl_field_bound(const dl_field *field, dl_cell cell, bool *exact)
{
    if (__builtin_expect(field->search != NULL, 0)) return dl_reverse_search_bound(*field->search, cell, exact);
    *exact = true;
    return dl_field_at(field, cell);
}

/* Measures from `goal`, in the memory the field has where it suits. False when memory or time (NULL: no limit) is out;
 * the field then holds nothing that may be read. */
bool dl_field_fill(dl_field *field, const dl_grid *grid, dl_cell goal, const dl_deadline *deadline);
/* The same with costs of edges: the field then counts units, DL_STEP_UNITS a step (field_costs.c). */
bool dl_field_fill_with_costs(dl_field *field, const dl_grid *grid, const dl_edge_costs *costs, dl_cell goal,
                              const dl_deadline *deadline);
void dl_field_free(dl_field *field);
/* Bytes of a filled field. */
size_t dl_field_bytes(const dl_field *field, const dl_grid *grid);

/* A step toward the goal: the first neighbor that is nearer, `cell` itself on the goal or where none is. If the
 * distance of a cell is known, so is that of a nearer neighbor. */
static inline dl_cell dl_field_step(const dl_field *field, const dl_grid *grid, dl_cell cell)
{
    int here = dl_field_at(field, cell);
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell next = grid->neighbor[cell][d];
        if (next != DL_NO_CELL && dl_field_at(field, next) < here) return next;
    }
    return cell;
}

#endif

#include "engine/sipps/labels.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

enum { RANDOM_BITS = 16 };
enum { LEFT_BITS = DL_TIME_BITS + 1 }; /* steps left, and above them whether that is a guess */
enum { KEY_LEFT_BITS = 64 - DL_CONFLICT_BITS - DL_TIME_BITS, TIE_LEFT_BITS = LEFT_BITS - KEY_LEFT_BITS };

/* A heap entry: the smallest (c, f, steps left) first, random among equals. Steps left rather than time passed: where
 * the goal is free only late, f is the same far and wide, and the way there must not be looked for far away. Where
 * that is a guess, labels come after all others of the same c and f. `key` has room for all of c and f and the upper
 * bits of the steps, `tie` for the rest. */
struct dl_open_label {
    uint64_t key;
    uint32_t tie;
    int32_t label;
};

/* Stamped, so that a search starts with a clean store for free. */
struct dl_labels_of_cell {
    uint32_t stamp;
    int32_t first;
};

bool dl_labels_create(dl_labels *labels, int cells)
{
    *labels = (dl_labels){.of_cell = DL_ARRAY(dl_labels_of_cell, cells)};
    return labels->of_cell;
}

void dl_labels_free(dl_labels *labels)
{
    free(labels->label);
    free(labels->heap);
    free(labels->of_cell);
}

void dl_labels_clear(dl_labels *labels)
{
    labels->count = labels->open = 0;
    labels->stamp++;
}

static bool comes_before(const dl_open_label *a, const dl_open_label *b)
{
    return a->key != b->key ? a->key < b->key : a->tie < b->tie;
}

/* Only where there is room. */
static void push(dl_labels *labels, int index, dl_rng *rng)
{
    const dl_label *l = &labels->label[index];
    uint32_t random = dl_rng_u32(rng) & DL_LOW_BITS(RANDOM_BITS);
    dl_open_label new = {.key = ((uint64_t)l->c << DL_TIME_BITS | (uint64_t)l->f) << KEY_LEFT_BITS |
                                l->left >> TIE_LEFT_BITS,
                         .tie = (l->left & DL_LOW_BITS(TIE_LEFT_BITS)) << RANDOM_BITS | random,
                         .label = index};
    dl_open_label *heap = labels->heap;
    assert(labels->open < labels->heap_room);
    int at = labels->open++;
    for (; at > 0 && comes_before(&new, &heap[(at - 1) / 2]); at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
    heap[at] = new;
}

int dl_labels_pop(dl_labels *labels)
{
    dl_open_label *heap = labels->heap;
    assert(labels->open > 0);
    int top = heap[0].label, open = --labels->open;
    dl_open_label last = heap[open];
    int at = 0;
    for (;;) {
        int child = 2 * at + 1;
        if (child >= open) break;
        if (child + 1 < open && comes_before(&heap[child + 1], &heap[child])) child++;
        if (!comes_before(&heap[child], &last)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

bool dl_labels_add(dl_labels *labels, dl_label new, dl_rng *rng)
{
    assert(new.t >= 0 && new.t <= new.hx &&new.t < new.hi &&new.hx <= new.hi &&new.f >= new.t);
    assert(new.parent < labels->count);
    dl_labels_of_cell *of_cell = &labels->of_cell[new.cell];
    if (of_cell->stamp != labels->stamp) *of_cell = (dl_labels_of_cell){labels->stamp, DL_NO_LABEL};
    for (int32_t *link = &of_cell->first; *link != DL_NO_LABEL;) {
        dl_label *old = &labels->label[*link];
        if (old->hi == new.hi && (old->flags & ~DL_DEAD) == new.flags) {
            if (old->t <= new.t && old->c <= new.c) return true;
            if (old->t >= new.t && old->c >= new.c) {
                old->flags |= DL_DEAD;
                *link = old->next_of_cell;
                continue;
            }
            /* Neither beats the other: the earlier one, with more conflicts, ends where the later one begins. */
            dl_label *earlier = old->t < new.t ? old : &new;
            int later = old->t < new.t ? new.t : old->t;
            if (earlier->hx > later) earlier->hx = later;
        }
        link = &old->next_of_cell;
    }
    if (!DL_GROW(labels->label, labels->room, labels->count + 1) ||
        !DL_GROW(labels->heap, labels->heap_room, labels->open + 1))
        return false;
    new.next_of_cell = of_cell->first;
    of_cell->first = labels->count;
    labels->label[labels->count] = new;
    push(labels, labels->count++, rng);
    return true;
}

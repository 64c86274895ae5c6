#include "lns/breakout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Few repairs stall, and with some dozens of pairs: most need no larger table. */
enum { FIRST_ROOM = 256 };

void dl_breakout_end(dl_breakout *b)
{
    free(b->slot);
    *b = (dl_breakout){0};
}

void dl_breakout_clear(dl_breakout *b)
{
    if (b->count > 0) memset(b->slot, 0, sizeof *b->slot * (size_t)b->room);
    b->count = 0;
}

/* Where the pair is, or where it would go; low < high. */
static dl_heavy_pair *find_slot(const dl_breakout *b, int low, int high)
{
    const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15); /* spreads neighboring numbers over the upper bits */
    uint64_t key = ((uint64_t)low << 32 | (uint64_t)high) * golden;
    int mask = b->room - 1;
    assert(low < high && b->room > 0 && (b->room & mask) == 0);
    for (int i = (int)(key >> 33) & mask;; i = (i + 1) & mask) {
        dl_heavy_pair *slot = &b->slot[i];
        if (slot->weight == 0 || (slot->low == low && slot->high == high)) return slot;
    }
}

/* At most half of the slots are taken, so that searches for pairs that are not there end soon. */
static bool has_room(dl_breakout *b)
{
    if (2 * (b->count + 1) <= b->room) return true;
    dl_breakout wide = {.room = b->room ? 2 * b->room : FIRST_ROOM, .count = b->count};
    wide.slot = DL_ARRAY(dl_heavy_pair, wide.room);
    if (!wide.slot) return false;
    for (int i = 0; i < b->room; i++)
        if (b->slot[i].weight > 0) *find_slot(&wide, b->slot[i].low, b->slot[i].high) = b->slot[i];
    free(b->slot);
    *b = wide;
    return true;
}

bool dl_breakout_raise(dl_breakout *b, int one, int other)
{
    assert(one != other);
    int low = one < other ? one : other, high = one < other ? other : one;
    if (!has_room(b)) return false;
    dl_heavy_pair *slot = find_slot(b, low, high);
    if (slot->weight == 0) {
        *slot = (dl_heavy_pair){low, high, 1};
        b->count++;
    }
    slot->weight++;
    assert(slot->weight > 1 && 2 * b->count <= b->room);
    return true;
}

int dl_breakout_look_up(const dl_breakout *b, int one, int other)
{
    const dl_heavy_pair *slot = one < other ? find_slot(b, one, other) : find_slot(b, other, one);
    return slot->weight > 0 ? slot->weight : 1;
}

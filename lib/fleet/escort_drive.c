/* Driving an escort: which moves are made in which tick, by whom, and what the others must leave alone meanwhile. */
#include "fleet/escort.h"

#include <assert.h>

enum { LATER = 0 };

static void freeze(dl_escort *e, const dl_move *move)
{
    e->on_cell[move->from] = e->on_cell[move->to] = e->stamps;
}

/* May it be made in this step? Neither cell is touched by an earlier move that is not made, and the robot has not moved
 * yet. */
static bool is_next(const dl_escort *e, const dl_window *window, const dl_move *move, int time)
{
    return e->on_cell[move->from] != e->stamps && e->on_cell[move->to] != e->stamps &&
           e->on_robot[move->agent] != e->stamps && time > window->trip[move->agent].hold;
}

static void make(dl_escort *e, dl_window *window, size_t i, int time)
{
    const dl_move *move = &e->pebbles.log[i];
    assert(time > 0 && time <= window->steps && i < e->due_room);
    e->due[i] = (uint8_t)time;
    e->on_robot[move->agent] = e->stamps;
    dl_cell *path = dl_window_path(window, move->agent);
    for (int t = time; t <= window->steps; t++) path[t] = move->to;
}

/* Makes the moves that can be made in this step of the window: moves that share no cell commute. A ring turns as a
 * whole.
 */
static void step(dl_escort *e, dl_window *window, int time)
{
    const dl_pebbles *p = &e->pebbles;
    e->stamps++;
    for (size_t i = 0; i < p->moves;) {
        size_t length = p->log[i].ring > 0 ? (size_t)p->log[i].ring : 1;
        bool next = e->due[i] == LATER;
        for (size_t k = i; k < i + length && next; k++) next = is_next(e, window, &p->log[k], time);
        for (size_t k = i; k < i + length && e->due[k] == LATER; k++) {
            if (next)
                make(e, window, k, time);
            else
                freeze(e, &p->log[k]);
        }
        i += length;
    }
}

void dl_escort_write(dl_escort *e, dl_window *window)
{
    const dl_pebbles *p = &e->pebbles;
    e->stamps++;
    for (size_t i = 0; i < p->moves; i++) {
        const dl_move *move = &p->log[i];
        e->due[i] = LATER;
        for (int end = 0; end < 2; end++) {
            dl_cell cell = end ? move->to : move->from;
            if (window->barred[cell]) continue;
            window->barred[cell] = 1;
            window->barred_cells++;
            assert(e->zone_cells < window->grid->cells);
            e->zone[e->zone_cells++] = cell;
        }
        if (e->on_robot[move->agent] == e->stamps) continue;
        e->on_robot[move->agent] = e->stamps;
        window->fixed[move->agent] = 1;
        dl_cell *path = dl_window_path(window, move->agent);
        for (int t = 0; t <= window->steps; t++) path[t] = move->from;
    }
    for (int time = 1; time <= window->steps; time++) step(e, window, time);
}

void dl_escort_unbar(dl_escort *e, dl_window *window)
{
    while (e->zone_cells > 0) window->barred[e->zone[--e->zone_cells]] = 0;
    window->barred_cells = 0;
    for (int i = 0; i < window->robots; i++) window->fixed[window->rank[i]] = 0;
}

/* Takes off what is made; false if only a part of a ring has turned. */
static bool take_off(dl_escort *e, const uint8_t *driven)
{
    dl_pebbles *p = &e->pebbles;
    size_t left = 0;
    for (size_t i = 0; i < p->moves;) {
        size_t length = p->log[i].ring > 0 ? (size_t)p->log[i].ring : 1, made = 0;
        for (size_t k = i; k < i + length; k++) made += e->due[k] != LATER && e->due[k] <= driven[p->log[k].agent];
        if (made != 0 && made != length) return false;
        for (size_t k = i; k < i + length && made == 0; k++) p->log[left++] = p->log[k];
        i += length;
    }
    p->moves = left;
    return true;
}

bool dl_escort_catch_up(dl_escort *e, const uint8_t *driven, const uint16_t *on)
{
    const dl_pebbles *p = &e->pebbles;
    if (!take_off(e, driven)) return false;
    e->stamps++;
    for (size_t i = 0; i < p->moves; i++) {
        const dl_move *move = &p->log[i];
        if (e->on_robot[move->agent] != e->stamps && on[move->from] != move->agent) return false;
        e->on_robot[move->agent] = e->stamps;
    }
    for (size_t i = 0; i < p->moves; i++) {
        int there = on[p->log[i].to]; /* who stands where a move begins was looked at above, or comes there */
        if (there != DL_NO_ROBOT && e->on_robot[there] != e->stamps) return false;
    }
    return true;
}

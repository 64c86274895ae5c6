#include "lacam/drive.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/mix.h"
#include "lacam/constraint.h"
#include "lacam/pibt_rollout.h"

/* Steps tried in all before it is given up, and in the first attempt for each step of the way: where there is a way,
 * nearly every step of PIBT is one. Attempts double. */
enum { MOST_STEPS = 1 << 17, FIRST_STEPS = 8 };
/* Positions that are kept: half a gigabyte. */
static const int64_t MOST_POSITIONS = 1 << 27;
/* Whom PIBT finds on cells that are closed. */
enum { NO_ENTRY = DL_NO_AGENT - 1 };
_Static_assert((int)DL_MAX_AGENTS <= (int)NO_ENTRY, "no agent has that number");

typedef struct driver {
    const dl_instance *instance;
    int agents, end;
    dl_pibt_tables *tables;
    dl_pibt pibt;
    dl_cell *at;                  /* [end + 1][agents] */
    uint8_t *state;               /* [end + 1][cells]: of a cell at a time, see below */
    dl_constraint_cursor *cursor; /* [end + 1]: what was tried at each time */
    uint16_t *order;              /* [agents]: those that are free at the time at hand first */
    dl_constraints tried;         /* what the cursor says for them */
    dl_constraints forced;        /* that, and what the prefixes say */
    uint64_t seed;
} driver;

static bool begin_constraints(dl_constraints *c, int agents)
{
    c->agent = DL_ARRAY(uint16_t, agents);
    c->cell = DL_ARRAY(dl_cell, agents);
    return c->agent && c->cell;
}

static bool begin(driver *d, const dl_instance *view, dl_distance *distance, const dl_deadline *deadline)
{
    size_t cells = (size_t)(d->end + 1) * (size_t)d->agents;
    d->at = DL_ARRAY(dl_cell, cells);
    d->state = DL_ARRAY(uint8_t, (size_t)(d->end + 1) * (size_t)d->instance->grid->cells);
    d->cursor = DL_ARRAY(dl_constraint_cursor, d->end + 1);
    d->order = DL_ARRAY(uint16_t, d->agents);
    bool fits = begin_constraints(&d->tried, d->agents);
    fits = begin_constraints(&d->forced, d->agents) && fits && d->at && d->state && d->cursor && d->order;
    d->tables = fits ? dl_pibt_tables_create(view, distance, deadline) : NULL;
    return d->tables &&
           dl_pibt_init(&d->pibt, d->tables, true, dl_rng_stream(d->seed, DL_PURPOSE('d', 'r', 'i', 'v'), 0));
}

static void end(driver *d)
{
    if (d->tables) dl_pibt_release(&d->pibt);
    dl_pibt_tables_free(d->tables);
    free(d->at);
    free(d->state);
    free(d->cursor);
    free(d->order);
    free(d->tried.agent);
    free(d->tried.cell);
    free(d->forced.agent);
    free(d->forced.cell);
}

static dl_cell *row(const driver *d, int time)
{
    return d->at + (size_t)time * (size_t)d->agents;
}

/* ---- cells with no way out ---- */

/* TAKEN by a prefix, or CLOSED: an agent there collides with a prefix sooner or later, whatever it does. */
enum { OPEN, TAKEN, CLOSED };

static uint8_t *states(const driver *d, int time)
{
    return d->state + (size_t)time * (size_t)d->instance->grid->cells;
}

/* Would a step from `from` to `to`, arriving at `time`, exchange cells with a prefix? */
static bool is_swap(const driver *d, const int32_t *holder, dl_cell from, dl_cell to, int time)
{
    int other = holder[from] - 1; /* of the time of arrival */
    return from != to && other >= 0 && dl_errand_at(&d->instance->errand[other], time - 1) == to;
}

/* From the last time back: a cell is open if a step leads from it to one that is open. */
static bool close_traps(driver *d)
{
    const dl_instance *instance = d->instance;
    const dl_grid *grid = instance->grid;
    int32_t *holder = DL_ARRAY(int32_t, grid->cells); /* 1 + whose prefix has the cell a step later; 0 = nobody's */
    if (!holder) return false;
    for (int time = d->end; time >= 0; time--) {
        uint8_t *now = states(d, time);
        const uint8_t *later = time < d->end ? states(d, time + 1) : NULL;
        for (dl_cell cell = 0; cell < grid->cells && later; cell++) {
            bool leaves = later[cell] == OPEN;
            for (int k = 0; k < DL_DIRECTIONS && !leaves; k++) {
                dl_cell to = grid->neighbor[cell][k];
                leaves = to != DL_NO_CELL && later[to] == OPEN && !is_swap(d, holder, cell, to, time + 1);
            }
            now[cell] = leaves ? OPEN : CLOSED;
        }
        memset(holder, 0, sizeof *holder * (size_t)grid->cells);
        for (int agent = 0; agent < d->agents; agent++) {
            const dl_errand *errand = &instance->errand[agent];
            if (errand->fixed < time || errand->fixed == 0) continue;
            now[dl_errand_at(errand, time)] = TAKEN;
            holder[dl_errand_at(errand, time)] = agent + 1;
        }
    }
    free(holder);
    return true;
}

/* Keeps PIBT out of cells that are closed at `time`, and takes that back. */
static void bar(driver *d, int time, uint16_t who)
{
    const uint8_t *state = states(d, time);
    for (dl_cell cell = 0; cell < d->instance->grid->cells; cell++)
        if (state[cell] == CLOSED) d->pibt.next[cell] = who;
}

/* ---- the search ---- */

/* Those that may choose their step at `time` first, in an order of its own; returns how many. */
static int put_in_order(driver *d, int time)
{
    dl_rng rng = dl_rng_stream(d->seed, DL_PURPOSE('d', 'r', 'o', 'r'), (uint64_t)time);
    int32_t *shuffled = (int32_t *)d->tried.cell; /* not in use yet */
    int count = 0, last = d->agents;
    _Static_assert(sizeof(dl_cell) == sizeof(int32_t), "cells are numbers of 32 bits");
    for (int agent = 0; agent < d->agents; agent++) shuffled[agent] = agent;
    dl_rng_shuffle(&rng, shuffled, d->agents);
    for (int i = 0; i < d->agents; i++) {
        if (dl_instance_fixed(d->instance, shuffled[i]) > time)
            d->order[--last] = (uint16_t)shuffled[i];
        else
            d->order[count++] = (uint16_t)shuffled[i];
    }
    return count;
}

/* What may be tried in one attempt. */
typedef struct budget {
    int tried, most;
    const dl_deadline *deadline;
} budget;

static bool is_spent(const budget *b)
{
    return b->tried >= b->most || dl_deadline_passed(b->deadline);
}

/* The next way to go from `time` to `time` + 1; false if there is none left. */
static bool step(driver *d, int time, budget *b)
{
    int choosers = put_in_order(d, time);
    dl_constraint_cursor *cursor = &d->cursor[time];
    uint64_t seed = dl_mix64(d->seed + (uint64_t)time);
    bool done = false;
    while (!done && !is_spent(b)) {
        dl_constraint_outcome next = dl_constraint_next(d->tables, row(d, time), d->order, seed, cursor, &d->tried);
        if (next == DL_CONSTRAINT_EXHAUSTED || (int)cursor->level > choosers) return false;
        b->tried++;
        if (next == DL_CONSTRAINT_REJECTED) continue;
        d->forced.count = 0;
        for (int i = choosers; i < d->agents; i++) {
            d->forced.agent[d->forced.count] = d->order[i];
            d->forced.cell[d->forced.count++] = dl_errand_at(&d->instance->errand[d->order[i]], time + 1);
        }
        for (int i = 0; i < d->tried.count; i++) {
            d->forced.agent[d->forced.count] = d->tried.agent[i];
            d->forced.cell[d->forced.count++] = d->tried.cell[i];
        }
        bar(d, time + 1, NO_ENTRY);
        done = dl_pibt_step(&d->pibt, row(d, time), d->order, &d->forced, row(d, time + 1));
        bar(d, time + 1, DL_NO_AGENT);
    }
    return done;
}

/* True if the end was reached; false if not within the budget, or if there is no way: *proved. */
static bool drive(driver *d, budget *b, bool *proved)
{
    int time = 0;
    *proved = false;
    memcpy(row(d, 0), d->instance->start, sizeof(dl_cell) * (size_t)d->agents);
    d->cursor[0] = (dl_constraint_cursor){0};
    while (time < d->end) {
        if (step(d, time, b)) {
            d->cursor[++time] = (dl_constraint_cursor){0};
        } else if (is_spent(b)) {
            return false;
        } else if (time-- == 0) {
            *proved = true;
            return false;
        }
    }
    return true;
}

static bool try_again_and_again(driver *d, const dl_deadline *deadline, bool *proved)
{
    int total = 0;
    for (int most = FIRST_STEPS * d->end; total < MOST_STEPS && !dl_deadline_passed(deadline); most *= 2) {
        budget b = {.most = most < MOST_STEPS - total ? most : MOST_STEPS - total, .deadline = deadline};
        if (drive(d, &b, proved)) return true;
        if (*proved) return false;
        total += b.tried;
        d->seed = dl_mix64(d->seed + 1);
    }
    return false;
}

static dl_plan *write_plan(const driver *d)
{
    dl_plan *plan = dl_plan_create(d->agents);
    for (int agent = 0; plan && agent < d->agents; agent++)
        for (int time = 0; time <= d->end; time++) {
            if (dl_path_append(&plan->path[agent], dl_grid_position(d->instance->grid, row(d, time)[agent]))) continue;
            dl_plan_free(plan);
            return NULL;
        }
    return plan;
}

dl_status dl_drive(const dl_instance *instance, uint64_t seed, dl_deadline deadline, dl_plan **out, dl_error *err)
{
    *out = NULL;
    driver d = {
        .instance = instance, .agents = instance->agents, .end = dl_instance_longest_prefix(instance), .seed = seed};
    bool too_long = (int64_t)(d.end + 1) * (d.agents + instance->grid->cells / 4) > MOST_POSITIONS;
    if (too_long || dl_pibt_tables_bytes(instance) > DL_PIBT_ROLLOUT_BYTES)
        return dl_fail(err, DIFFLNS_UNSOLVED, "too many agents, cells or steps to drive prefixes to their end");
    dl_instance ahead;
    if (!dl_instance_ahead(instance, &ahead)) return dl_out_of_memory(err);
    dl_distance *distance = dl_distance_create(&ahead);
    if (distance) dl_distance_until(distance, deadline);
    bool ready = distance && begin(&d, &ahead, distance, &deadline) && close_traps(&d), proved = false;
    dl_status status = DIFFLNS_OK;
    if (ready && try_again_and_again(&d, &deadline, &proved)) {
        *out = write_plan(&d);
        if (!*out) status = dl_out_of_memory(err);
    } else if (!ready && !dl_deadline_passed(&deadline)) {
        status = dl_out_of_memory(err);
    } else {
        status = dl_fail(err, DIFFLNS_UNSOLVED,
                         proved ? "prefixes leave the others no way" : "no time to drive prefixes to their end");
    }
    end(&d);
    dl_distance_free(distance);
    dl_instance_ahead_free(&ahead);
    return status;
}

#include "complete/solvability.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/memory.h"
#include "complete/exchange.h"

typedef struct tester {
    const dl_instance *instance;
    const dl_grid *grid;
    dl_solvability *result;
    dl_exchange exchange;
    uint8_t *shape;    /* [components] */
    uint8_t *wanted;   /* [cells]: 1 = a goal */
    int32_t *owner;    /* [cells]: the agent whose goal it is, -1 = none */
    int32_t *occupant; /* [cells]: who stands there once exactly the goals are occupied, -1 = nobody */
    const dl_deadline *deadline;
    void *memory; /* of the arrays */
} tester;

static void unsolvable(tester *t, int agent, int other)
{
    t->result->verdict = DL_UNSOLVABLE;
    t->result->agent = agent;
    t->result->other = other;
}

#define EXPLAIN(t, ...) snprintf((t)->result->reason, sizeof(t)->result->reason, __VA_ARGS__)

/* Closes the reason with the rules it holds under. Everything the test answers is proved in docs/guarantee.md. */
static void state_rules(dl_solvability *result)
{
    size_t used = strlen(result->reason);
    snprintf(result->reason + used, sizeof result->reason - used, " (%s rules, proved)",
             result->rules == DL_RULES_MAPF ? "MAPF" : "pebble");
}

/* A cell for people: (row,col). */
typedef struct cell_name {
    char text[24];
} cell_name;

static cell_name name_of(const tester *t, dl_cell cell)
{
    difflns_cell at = dl_grid_position(t->grid, cell);
    cell_name name;
    snprintf(name.text, sizeof name.text, "(%d,%d)", (int)at.row, (int)at.col);
    return name;
}

/* The two ends of a path component, or of the box around any other part. */
static void corners_of_component(const tester *t, int component, cell_name *first, cell_name *last)
{
    dl_cell low = DL_NO_CELL, high = DL_NO_CELL;
    for (dl_cell cell = 0; cell < t->grid->cells; cell++) {
        if (t->grid->component[cell] != component) continue;
        if (t->shape[component] == DL_SHAPE_PATH && dl_grid_degree(t->grid, cell) > 1) continue;
        if (low == DL_NO_CELL) low = cell;
        high = cell;
    }
    *first = name_of(t, low);
    *last = name_of(t, high);
}

/* ---- Reasons
 * --------------------------------------------------------------------------------------------------------- */

/* The agent that must end on `cell` cannot come there. */
static void explain_stuck(tester *t, dl_cell cell)
{
    int holder = t->occupant[cell], owner = t->owner[cell], component = t->grid->component[cell];
    int blanks = t->exchange.blanks[component], class = t->exchange.class_of[cell];
    cell_name goal = name_of(t, cell), first, last;
    unsolvable(t, owner, holder);
    corners_of_component(t, component, &first, &last);
    if (t->shape[component] == DL_SHAPE_PATH) {
        EXPLAIN(t,
                "agents %d and %d would have to pass each other in the corridor from %s to %s, which has no junction "
                "where one could step aside",
                owner, holder, first.text, last.text);
        return;
    }
    if (blanks == 0) {
        EXPLAIN(
            t,
            "agent %d can't reach its goal %s, where agent %d stands: the part of the map from %s to %s has no free "
            "cell, so agents move only where they can rotate on a ring",
            owner, goal.text, holder, first.text, last.text);
        return;
    }
    if (class < 0) {
        EXPLAIN(
            t,
            "agent %d can't reach its goal %s, which agent %d can't clear: they stand in a corridor in an order that "
            "never changes, because the %d free cell%s of the part of the map from %s to %s do not let them pass",
            owner, goal.text, holder, blanks, blanks == 1 ? "" : "s", first.text, last.text);
        return;
    }
    int partners = 0;
    for (dl_cell other = 0; other < t->grid->cells; other++) partners += t->exchange.class_of[other] == class;
    EXPLAIN(
        t,
        "agent %d can't reach its goal %s: that cell changes hands only among the %d agents around it, and agent %d "
        "is not one of them; the %d free cell%s of the part of the map from %s to %s are too few to bring it there",
        owner, goal.text, partners, owner, blanks, blanks == 1 ? "" : "s", first.text, last.text);
}

static void explain_turn(tester *t, dl_cell cell, dl_cell next)
{
    int agent = t->occupant[cell], follower = t->occupant[next];
    dl_cell goal = t->instance->goal[agent];
    unsolvable(t, agent, follower);
    EXPLAIN(t,
            "around the ring through %s agent %d is followed by agent %d, and a ring keeps that order; but agent %d's "
            "goal "
            "%s is followed by the goal of agent %d",
            name_of(t, cell).text, agent, follower, agent, name_of(t, goal).text, t->owner[t->exchange.next[goal]]);
}

static void explain_parity(tester *t, dl_cell cell)
{
    int agent = t->occupant[cell];
    unsolvable(t, agent, t->owner[cell]);
    EXPLAIN(
        t,
        "with one free cell the agents around %s can only be permuted evenly, like the tiles of the fifteen puzzle, "
        "and their goals ask for an odd permutation",
        name_of(t, cell).text);
}

/* ---- The test
 * --------------------------------------------------------------------------------------------------------- */

static bool goals_are_reachable(tester *t, const dl_cell *from)
{
    for (int agent = 0; agent < t->instance->agents; agent++) {
        dl_cell start = from[agent], goal = t->instance->goal[agent];
        if (t->grid->component[start] == t->grid->component[goal]) continue;
        t->result->verdict = DL_UNSOLVABLE;
        t->result->agent = agent;
        EXPLAIN(t, "agent %d: no way leads from %s to its goal %s, obstacles separate them", agent,
                name_of(t, start).text, name_of(t, goal).text);
        return false;
    }
    return true;
}

/* Everybody stands on a goal; the one on `cell` must be able to change places with its owner. */
static bool classes_agree(tester *t)
{
    const int32_t *class_of = t->exchange.class_of;
    for (dl_cell cell = 0; cell < t->grid->cells; cell++) {
        if (!t->wanted[cell] || t->occupant[cell] == t->owner[cell]) continue;
        dl_cell goal = t->instance->goal[t->occupant[cell]];
        if (class_of[cell] >= 0 && class_of[cell] == class_of[goal]) continue;
        explain_stuck(t, cell);
        return false;
    }
    return true;
}

static bool turns_agree(tester *t)
{
    for (dl_cell cell = 0; cell < t->grid->cells; cell++) {
        int class = t->exchange.class_of[cell];
        if (class < 0 || t->exchange.kind[class] != DL_EXCHANGE_TURN) continue;
        dl_cell next = t->exchange.next[cell];
        dl_cell goal = t->instance->goal[t->occupant[cell]], next_goal = t->instance->goal[t->occupant[next]];
        if (t->exchange.next[goal] == next_goal) continue;
        explain_turn(t, cell, next);
        return false;
    }
    return true;
}

static bool parities_agree(tester *t, uint8_t *seen, uint8_t *odd)
{
    for (dl_cell cell = 0; cell < t->grid->cells; cell++) {
        int class = t->exchange.class_of[cell];
        if (class < 0 || seen[cell]) continue;
        int length = 0;
        for (dl_cell at = cell; !seen[at]; at = t->instance->goal[t->occupant[at]], length++) seen[at] = 1;
        odd[class] ^= (uint8_t)((length - 1) & 1);
    }
    for (dl_cell cell = 0; cell < t->grid->cells; cell++) {
        int class = t->exchange.class_of[cell];
        if (class < 0 || t->exchange.kind[class] != DL_EXCHANGE_EVEN || !odd[class]) continue;
        if (t->occupant[cell] == t->owner[cell]) continue;
        explain_parity(t, cell);
        return false;
    }
    return true;
}

/* The agents' cells and goals; then all agents, in any assignment, on goals. */
static bool set_up(tester *t, const dl_cell *from, dl_rules rules)
{
    const dl_grid *grid = t->grid;
    if (!DL_BLOCK(t->memory, DL_CUT(t->shape, grid->components), DL_CUT(t->wanted, grid->cells),
                  DL_CUT(t->owner, grid->cells), DL_CUT(t->occupant, grid->cells)))
        return false;
    for (dl_cell cell = 0; cell < grid->cells; cell++) {
        if (dl_is_late_at(t->deadline, (size_t)cell)) return false;
        t->owner[cell] = t->occupant[cell] = -1;
    }
    for (int agent = 0; agent < t->instance->agents; agent++) {
        t->wanted[t->instance->goal[agent]] = 1;
        t->owner[t->instance->goal[agent]] = agent;
        t->occupant[from[agent]] = agent;
    }
    dl_blocks blocks;
    if (!dl_shape_find(grid, t->shape) || !dl_blocks_find(grid, t->deadline, &blocks)) return false;
    bool fits = dl_exchange_find(grid, &blocks, t->wanted, rules, t->deadline, &t->exchange) &&
                dl_gather(grid, t->wanted, t->deadline, t->occupant);
    dl_blocks_free(&blocks);
    return fits;
}

/* False when memory or time is out. */
static bool test(const dl_instance *instance, const dl_cell *from, dl_rules rules, const dl_deadline *deadline,
                 dl_solvability *result)
{
    const dl_grid *grid = instance->grid;
    *result = (dl_solvability){.verdict = DL_SOLVABLE, .rules = rules, .agent = -1, .other = -1};
    tester t = {.instance = instance, .grid = grid, .result = result, .deadline = deadline};
    if (!goals_are_reachable(&t, from)) {
        state_rules(result);
        return true;
    }
    bool fits = set_up(&t, from, rules);
    uint8_t *seen = DL_ARRAY(uint8_t, grid->cells), *odd = DL_ARRAY(uint8_t, t.exchange.classes + 1);
    fits = fits && seen && odd;
    if (fits && (!classes_agree(&t) || !turns_agree(&t) || !parities_agree(&t, seen, odd))) state_rules(result);
    dl_exchange_free(&t.exchange);
    free(seen);
    free(odd);
    free(t.memory);
    return fits;
}

bool dl_solvability_test(const dl_instance *instance, dl_rules rules, dl_solvability *result)
{
    return test(instance, instance->start, rules, NULL, result);
}

bool dl_solvability_within(const dl_instance *instance, dl_rules rules, const dl_deadline *deadline,
                           dl_solvability *result)
{
    return test(instance, instance->start, rules, deadline, result);
}

/* Who is escorted, and when: a robot that has been on its way for too long. One at a time, the longest waiting first,
 * so that each has its turn after those before it (docs/live.md). */
#include "fleet/fleet.h"

#include <assert.h>

/* Ticks on the way after which a robot may be escorted: these, and some for each robot of the fleet. Where robots are
 * many, all wait longer, and what makes way for one keeps others. Without bridges they hardly ever block each other for
 * good: there escorts would cost a warehouse 4% of its goals. */
enum { PATIENCE = 64, PER_ROBOT = 8, PER_ROBOT_WITH_BRIDGES = 2 };
/* An escort that has not moved for so many ticks is given up: somebody whom it needs is held, or out of order. */
enum { STANDSTILL = 64 };

static bool is_overdue(const dl_fleet *fleet, const dl_robot *r)
{
    bool bridged = fleet->escort.bridged[fleet->grid->component[r->at]];
    int64_t patience = PATIENCE + (int64_t)(bridged ? PER_ROBOT_WITH_BRIDGES : PER_ROBOT) * fleet->window.robots;
    return r->goals > 0 && r->source[0] && !r->stuck && r->hold <= fleet->now && fleet->now - r->asked > patience;
}

static int longest_waiting(const dl_fleet *fleet)
{
    int longest = DL_NO_ROBOT;
    for (int i = 0; i < fleet->window.robots; i++) {
        int robot = fleet->window.rank[i];
        if (!is_overdue(fleet, &fleet->robot[robot])) continue;
        if (longest != DL_NO_ROBOT && fleet->robot[robot].asked >= fleet->robot[longest].asked) continue;
        longest = robot;
    }
    return longest;
}

/* The leg that is being driven, if all are where it may have led them. */
static bool go_on(dl_fleet *fleet)
{
    dl_escort *escort = &fleet->escort;
    size_t moves = escort->pebbles.moves;
    if (moves == 0 || !fleet->planned) return false;
    for (int i = 0; i < fleet->window.robots; i++) {
        int robot = fleet->window.rank[i], made = dl_fleet_steps_made(fleet, robot);
        if (made < 0) return false;
        fleet->driven[robot] = (uint8_t)made;
    }
    if (!dl_escort_catch_up(escort, fleet->driven, fleet->on)) return false;
    if (escort->pebbles.moves < moves) fleet->escort_moved = fleet->now;
    return escort->pebbles.moves > 0 && fleet->now - fleet->escort_moved < STANDSTILL;
}

/* Exchanges and rings are planned as if nothing were closed and nobody held for long. */
static bool is_open(const dl_fleet *fleet)
{
    const dl_pebbles *p = &fleet->escort.pebbles;
    bool open = true;
    for (size_t i = 0; i < p->moves && open; i++) {
        const dl_move *move = &p->log[i];
        open = fleet->robot[move->agent].hold - fleet->now < DL_CLOSED_TICKS &&
               !dl_fleet_is_shut(fleet, move->from, move->to);
    }
    return open;
}

static dl_escort_outcome plan_leg(dl_fleet *fleet, int robot, const dl_deadline *deadline)
{
    dl_escort *escort = &fleet->escort;
    escort->closed = dl_fleet_mark_closed(fleet, escort->pebbles.settled);
    dl_escort_outcome outcome = dl_escort_plan(escort, robot, &fleet->robot[robot].field[0], fleet->on, deadline);
    if (outcome != DL_ESCORT_LEG || is_open(fleet)) return outcome;
    dl_escort_drop(escort);
    return DL_ESCORT_UNKNOWN;
}

/* A leg from nothing: for the one who is being escorted, or for the next. */
static dl_fleet_turn set_out(dl_fleet *fleet, const dl_deadline *deadline)
{
    int robot = fleet->escorted;
    if (robot == DL_NO_ROBOT) robot = longest_waiting(fleet);
    if (robot == DL_NO_ROBOT) return DL_FLEET_GOES_ON;
    dl_robot *r = &fleet->robot[robot];
    dl_escort_outcome outcome = plan_leg(fleet, robot, deadline);
    bool served = outcome == DL_ESCORT_LEG || outcome == DL_ESCORT_PAUSED;
    if (outcome == DL_ESCORT_STUCK) r->stuck = true;
    if (outcome == DL_ESCORT_UNKNOWN) r->asked = fleet->now;
    fleet->escorted = served ? robot : DL_NO_ROBOT;
    fleet->escort_moved = fleet->now;
    if (!served) return DL_FLEET_GOES_ON;
    return outcome == DL_ESCORT_LEG ? DL_FLEET_SETS_OUT : DL_FLEET_WAITS;
}

/* Has it arrived, does it want no more, or has it been waiting for somebody for too long? */
static bool is_over(dl_fleet *fleet)
{
    assert(fleet->escorted < fleet->room);
    dl_robot *r = &fleet->robot[fleet->escorted];
    if (fleet->now - fleet->escort_moved >= STANDSTILL) r->asked = fleet->now; /* the others' turn */
    return !is_overdue(fleet, r);
}

dl_fleet_turn dl_fleet_escort(dl_fleet *fleet, const dl_deadline *deadline)
{
    dl_escort_unbar(&fleet->escort, &fleet->window);
    if (fleet->reshaped)
        for (int i = 0; i < fleet->window.robots; i++) fleet->robot[fleet->window.rank[i]].stuck = false;
    fleet->reshaped = false;
    if (fleet->escorted != DL_NO_ROBOT && is_over(fleet)) {
        fleet->escorted = DL_NO_ROBOT;
        dl_escort_drop(&fleet->escort);
    }
    if (go_on(fleet)) return DL_FLEET_GOES_ON;
    dl_escort_drop(&fleet->escort);
    return set_out(fleet, deadline);
}

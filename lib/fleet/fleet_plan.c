/* One tick's planning: from the plan being driven, or from nothing, to the next window. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "fleet/fleet.h"

/* A robot's cost counts once more for each of these ticks it has been on the way to its goal. */
enum { WEIGHT_TICKS = 32 };
/* Improvement ends when so many iterations per robot have brought nothing, or after so many in all: what is left is
 * worth less than the time. */
enum { SETTLED = 1, SETTLED_LEAST = 64, ENOUGH = 5 };
/* Where a deadline limits them anyway: 2% more goals in a dense warehouse, 1% in a sorting hall, elsewhere as many. */
enum { PLENTY = 20 };

/* A robot that has come no nearer for so many ticks lends its urgency to one in its way: two face to face in a dead end
 * get nowhere as long as the wrong one pushes. Drawn between the two, so that no two take turns forever. */
enum { PATIENCE_LEAST = 8, PATIENCE_MOST = 24 };

/* A less urgent robot with a task on a cell where `r` would come nearer. */
static dl_robot *blocker(dl_fleet *fleet, const dl_robot *r)
{
    int here = dl_field_at(&r->field[0], r->at);
    unsigned turn = dl_rng_u32(&fleet->window.rng);
    for (unsigned k = 0; k < DL_DIRECTIONS; k++) {
        dl_cell near = fleet->grid->neighbor[r->at][(k + turn) % DL_DIRECTIONS];
        if (near == DL_NO_CELL || fleet->on[near] == DL_NO_ROBOT || dl_field_at(&r->field[0], near) >= here) continue;
        dl_robot *other = &fleet->robot[fleet->on[near]];
        if (other->goals > 0 && other->since > r->since) return other;
    }
    return NULL;
}

static void watch_progress(dl_fleet *fleet)
{
    for (int i = 0; i < fleet->window.robots; i++) {
        dl_robot *r = &fleet->robot[fleet->window.rank[i]];
        if (r->goals == 0 || !r->source[0]) continue;
        int distance = dl_field_at(&r->field[0], r->at);
        if (distance < r->nearest) {
            r->nearest = distance;
            r->nearer = fleet->now;
        }
        int patience = PATIENCE_LEAST + (int)dl_rng_below(&fleet->window.rng, PATIENCE_MOST - PATIENCE_LEAST + 1);
        if (fleet->now - r->nearer < patience) continue;
        dl_robot *other = blocker(fleet, r);
        if (!other) continue;
        int64_t since = r->since;
        r->since = other->since;
        other->since = since;
        r->nearer = other->nearer = fleet->now;
        r->nearest = distance;
    }
}

static bool is_more_urgent(const dl_fleet *fleet, int a, int b)
{
    const dl_robot *x = &fleet->robot[a], *y = &fleet->robot[b];
    if ((x->goals > 0) != (y->goals > 0)) return x->goals > 0;
    return x->since < y->since;
}

/* Those longest on their way first. The order is nearly right from the last tick: insertion. */
static void rank_robots(dl_fleet *fleet)
{
    uint16_t *rank = fleet->window.rank;
    for (int i = 1; i < fleet->window.robots; i++) {
        uint16_t robot = rank[i];
        int place = i;
        for (; place > 0 && is_more_urgent(fleet, robot, rank[place - 1]); place--) rank[place] = rank[place - 1];
        rank[place] = robot;
    }
}

/* No way is open: then it waits, and makes way, as if it had no task. */
static bool leads_nowhere(const dl_field *field, dl_cell from)
{
    if (field->search) return false; /* on a large map this is not known at once */
    assert(field->narrow || field->wide);
    return dl_field_at(field, from) >= DL_UNREACHABLE;
}

static void set_trip(const dl_fleet *fleet, int robot, dl_trip *trip)
{
    const dl_robot *r = &fleet->robot[robot];
    int64_t hold = r->hold - fleet->now;
    *trip = (dl_trip){.weight = 1};
    if (hold > 0) trip->hold = hold > fleet->window.steps ? fleet->window.steps : (int)hold;
    while (trip->goals < DL_TRIP_GOALS && trip->goals < r->goals && r->source[trip->goals]) {
        int k = trip->goals;
        if (leads_nowhere(&r->field[k], k == 0 ? r->at : trip->goal[k - 1])) break;
        trip->goals++;
        trip->goal[k] = r->queue[r->first + k];
        trip->field[k] = &r->field[k];
        trip->costs[k] = dl_map_costs(r->source[k]);
        trip->unit[k] = trip->costs[k] ? 1 : DL_STEP_COST;
        if (k > 0) trip->beyond[k - 1] = dl_trip_ahead(trip, k, trip->goal[k - 1]);
    }
    assert(trip->goals <= DL_TRIP_GOALS && trip->weight > 0 && trip->hold >= 0);
    trip->costs[trip->goals] = dl_map_costs(fleet->under);
    if (trip->goals > 0) trip->weight += (int)((fleet->now - r->since) / WEIGHT_TICKS);
}

int dl_fleet_steps_made(const dl_fleet *fleet, int robot)
{
    const dl_cell *path = dl_window_path(&fleet->window, robot);
    int made = fleet->ticks;
    assert(made >= 0 && made <= fleet->window.steps);
    while (made >= 0 && path[made] != fleet->robot[robot].at) made--;
    return made;
}

/* The plan being driven, from where the robots are. If an escort sets out, others get out of its way. */
static bool go_on(dl_fleet *fleet, dl_fleet_turn turn)
{
    dl_window *window = &fleet->window;
    if (!fleet->planned) return false;
    for (int i = 0; i < window->robots; i++) {
        int made = dl_fleet_steps_made(fleet, window->rank[i]);
        if (made < 0) return false;
        fleet->driven[window->rank[i]] = (uint8_t)made;
    }
    if (!dl_window_retime(window, fleet->driven)) return false;
    dl_escort_write(&fleet->escort, window);
    if (turn == DL_FLEET_SETS_OUT && !dl_window_clear(window)) return false;
    dl_window_pibt(window, window->steps - 1);
    return true;
}

static void begin(dl_fleet *fleet)
{
    dl_window *window = &fleet->window;
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        dl_window_path(window, robot)[0] = fleet->robot[robot].at;
    }
    dl_escort_write(&fleet->escort, window);
    dl_window_pibt(window, 0);
}

/* The cheaper of the two: the plan being driven knows no goals that came since, a new one none of its improvements. */
static void start(dl_fleet *fleet, dl_fleet_turn turn)
{
    dl_window *window = &fleet->window;
    size_t bytes = sizeof *window->path * (size_t)window->room * (size_t)(window->steps + 1);
    bool warm = fleet->iterations != 0 && bytes > 0 && go_on(fleet, turn);
    int64_t cost = warm ? dl_window_measure(window) : INT64_MAX;
    if (warm) memcpy(window->spare, window->path, bytes);
    begin(fleet);
    if (warm && cost <= dl_window_measure(window)) memcpy(window->path, window->spare, bytes);
}

/* Nobody moves: always legal. */
static void stand_still(dl_fleet *fleet)
{
    dl_window *window = &fleet->window;
    for (int i = 0; i < window->robots; i++) {
        int robot = window->rank[i];
        dl_cell *path = dl_window_path(window, robot);
        for (int t = 0; t <= window->steps; t++) path[t] = fleet->robot[robot].at;
    }
}

/* Not all of the time goes into distances after costs have changed: those who wait for theirs drive by the old ones. */
static void refresh(dl_fleet *fleet, const dl_deadline *deadline)
{
    static const double SHARE = 0.25;
    dl_deadline part = *deadline;
    if (isfinite(deadline->end)) part = dl_deadline_within(*deadline, SHARE * dl_deadline_left(deadline));
    dl_fleet_refresh(fleet, &part);
}

/* A trial of guidance comes first: it needs the time, too. */
static int64_t enough_iterations(const dl_fleet *fleet, const dl_deadline *deadline)
{
    bool plenty = isfinite(deadline->end) && !fleet->guidance.trial;
    return SETTLED_LEAST + (int64_t)(plenty ? PLENTY : ENOUGH) * fleet->window.robots;
}

dl_status dl_fleet_plan(dl_fleet *fleet, const dl_deadline *deadline, dl_error *err)
{
    dl_window *window = &fleet->window;
    fleet->asker.deadline = *deadline;
    window->rng = dl_rng_stream(fleet->seed, DL_PURPOSE('f', 'l', 'e', 'e'), (uint64_t)fleet->now);
    dl_fleet_guide(fleet, dl_fleet_take_goals(fleet, deadline));
    dl_fleet_see_closures(fleet);
    refresh(fleet, deadline);
    watch_progress(fleet);
    rank_robots(fleet);
    for (int i = 0; i < window->robots; i++) set_trip(fleet, window->rank[i], &window->trip[window->rank[i]]);
    fleet->spent = 0;
    dl_fleet_turn turn = dl_fleet_escort(fleet, deadline);
    if (turn == DL_FLEET_WAITS)
        stand_still(fleet);
    else
        start(fleet, turn);
    if (fleet->iterations != 0 && turn != DL_FLEET_WAITS) {
        dl_window_effort effort = {.iterations = fleet->iterations, .deadline = *deadline};
        effort.patience = SETTLED_LEAST + (int64_t)SETTLED * window->robots;
        if (fleet->iterations == DL_FLEET_SETTLED) effort.iterations = enough_iterations(fleet, deadline);
        dl_window_measure(window);
        fleet->spent = dl_window_improve(window, &effort);
    }
    dl_fleet_try_guidance(fleet, deadline);
    assert(fleet->ticks >= 0 && fleet->spent >= 0);
    fleet->planned = true;
    fleet->astray = false;
    fleet->ticks = 0;
    if (dl_window_legal(window)) return DIFFLNS_OK;
    stand_still(fleet);
    dl_escort_drop(&fleet->escort);
    return dl_fail(err, DIFFLNS_INTERNAL, "tick %lld: the planned step was not legal, so that everybody waits",
                   (long long)fleet->now);
}

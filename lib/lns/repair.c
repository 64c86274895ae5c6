#include "lns/repair.h"

#include <assert.h>
#include <stdlib.h>

#include "base/ablation.h"
#include "base/memory.h"

/* How fast a strategy's weight follows its success. */
static const double REACTION = 0.05;
/* The share of the pairs that is left at the next milestone. */
static const double MILESTONE = 0.9;
/* Searches between two looks at the clock: even on large maps that is less than a tenth of a second. */
enum { CLOCK_EVERY = 8 };

bool dl_repair_begin(dl_repair *r, dl_planner *planner, const dl_repair_options *options)
{
    *r = (dl_repair){.planner = planner, .options = *options};
    bool fits = dl_conflicts_begin(&r->conflicts, planner->instance->agents);
    fits = dl_destroy_begin(&r->destroy, planner, &r->conflicts, &r->rng, options->neighbors) && fits;
    r->found_count = DL_ARRAY(int, r->destroy.most);
    return fits && r->found_count;
}

void dl_repair_end(dl_repair *r)
{
    dl_conflicts_end(&r->conflicts);
    dl_destroy_end(&r->destroy);
    dl_breakout_end(&r->weights);
    free(r->found);
    free(r->found_count);
}

static dl_request usual_request(const dl_repair *r)
{
    dl_request request = DL_SOFT_REQUEST;
    request.rule = r->options.rule;
    return request;
}

static bool keeps_lateness(const dl_repair *r)
{
    if (dl_is_without(DL_TECHNIQUE_lateness)) return false;
    switch (r->options.lateness) {
    case DL_LATENESS_NEVER_KEPT:
        return false;
    case DL_LATENESS_KEPT_WHEN_STALE:
        return r->iterations > r->gained + r->options.stale;
    case DL_LATENESS_ALWAYS_KEPT:
        return true;
    }
    return false;
}

/* The usual one, or now and then one that makes the agent come late and wander. */
static dl_request request_for(dl_repair *r, int agent)
{
    dl_request request = usual_request(r);
    bool escapes = r->options.escape > 0 && !dl_is_without(DL_TECHNIQUE_escapes);
    if (escapes && dl_rng_unit(&r->rng) < r->options.escape) {
        const dl_planner *p = r->planner;
        int shortest = dl_distance_of_start(p->distance, agent);
        request.rule = DL_UNIFORM;
        request.earliest = shortest + 1 + (int)dl_rng_below(&r->rng, (uint32_t)r->options.delay);
    } else if (keeps_lateness(r)) {
        request.earliest = r->planner->track[agent].cost;
    }
    return request;
}

/* Puts an agent's track into the table and its collisions into the graph. False when memory is out. */
static bool repair_enter(dl_repair *r, int agent)
{
    const dl_track *track = &r->planner->track[agent];
    int count = dl_planner_partners(r->planner, track, r->conflicts.agents, r->destroy.list);
    for (int i = 0; i < count; i++)
        if (!dl_conflicts_join(&r->conflicts, agent, r->destroy.list[i])) r->planner->exhausted = true;
    if (r->planner->exhausted || !dl_planner_insert(r->planner, agent)) return false;
    r->soc += track->cost;
    assert(track->cost >= 0 && r->planner->in_table[agent]);
    return true;
}

/* Nothing is entered and nothing learned. */
static void set_out(dl_repair *r)
{
    r->soc = 0;
    r->iterations = r->accepted = r->searches = r->gained = r->low_at = r->milestone_at = 0;
    dl_conflicts_clear(&r->conflicts);
    dl_breakout_clear(&r->weights);
}

bool dl_repair_start(dl_repair *r, uint64_t seed, uint64_t index, const dl_deadline *deadline)
{
    dl_planner *p = r->planner;
    int agents = p->instance->agents, missing = 0;
    r->rng = dl_rng_stream(seed, DL_PURPOSE('r', 'e', 'p', 'a'), index);
    p->rng = dl_rng_stream(seed, DL_PURPOSE('t', 'i', 'e', 's'), index);
    set_out(r);
    dl_destroy_restart(&r->destroy);
    for (int agent = 0; agent < agents; agent++) {
        if (dl_planner_is_late_for(deadline, p->track[agent].cost)) return false;
        if (p->in_table[agent]) dl_planner_remove(p, agent);
    }
    p->exhausted = false;
    int32_t *order = DL_ARRAY(int32_t, agents);
    if (!order) p->exhausted = true;
    bool complete = order != NULL;
    for (int agent = 0; agent < agents && complete; agent++) {
        complete = !dl_planner_is_late_for(deadline, p->track[agent].cost);
        if (complete && p->track[agent].cost >= 0)
            complete = repair_enter(r, agent);
        else
            order[missing++] = agent;
    }
    if (complete) dl_rng_shuffle(&r->rng, order, missing);
    for (int i = 0; i < missing && complete; i++) {
        dl_request request = usual_request(r);
        complete = !dl_deadline_passed(deadline) && dl_planner_plan(p, order[i], &request) >= 0;
        complete = complete && !dl_planner_is_late_for(deadline, p->spare[order[i]].cost);
        if (!complete) break;
        dl_planner_exchange(p, order[i]);
        complete = repair_enter(r, order[i]);
    }
    free(order);
    r->fewest = r->milestone = r->conflicts.pairs;
    return complete;
}

bool dl_repair_resume(dl_repair *r, const int32_t *agent, int count)
{
    const dl_planner *p = r->planner;
    set_out(r);
    for (int i = 0; i < p->instance->agents; i++)
        if (p->in_table[i]) r->soc += p->track[i].cost;
    for (int i = 0; i < count; i++)
        if (!repair_enter(r, agent[i])) return false;
    r->fewest = r->milestone = r->conflicts.pairs;
    return true;
}

/* Replans the chosen agents as long as the pairs that collide weigh no more than `old`. Returns how many got a new path
 * into the table; *weight is what their pairs weigh. */
static int repair_replan(dl_repair *r, int old, const dl_deadline *deadline, int *weight)
{
    dl_planner *p = r->planner;
    const dl_destroy *d = &r->destroy;
    *weight = 0;
    if (!DL_GROW(r->found, r->found_room, old + r->conflicts.agents + 1)) {
        p->exhausted = true;
        return 0;
    }
    int32_t *found = r->found;
    for (int i = 0; i < d->count; i++) {
        int agent = d->chosen[i];
        dl_request request = request_for(r, agent);
        if (i % CLOCK_EVERY == CLOCK_EVERY - 1 && dl_deadline_passed(deadline)) return i;
        int conflicts = dl_planner_plan(p, agent, &request);
        r->searches++;
        if (conflicts < 0) return i;
        int partners = 0;
        if (conflicts > 0) partners = dl_planner_partners(p, &p->spare[agent], old - *weight, found);
        for (int k = 0; k < partners; k++) *weight += dl_breakout_weight(&r->weights, agent, found[k]);
        if (*weight > old) return i;
        found += partners;
        r->found_count[i] = partners;
        if (!dl_planner_adopt(p, agent)) return i;
    }
    return d->count;
}

static void take_back(dl_repair *r, int replanned)
{
    assert(replanned < r->destroy.count);
    dl_planner *p = r->planner;
    const dl_destroy *d = &r->destroy;
    for (int i = 0; i < replanned; i++) {
        dl_planner_remove(p, d->chosen[i]);
        dl_planner_exchange(p, d->chosen[i]);
    }
    for (int i = 0; i < d->count; i++) dl_planner_put_back(p, d->chosen[i]);
}

static void repair_keep(dl_repair *r)
{
    const dl_destroy *d = &r->destroy;
    const int32_t *partner = r->found;
    for (int i = 0; i < d->count; i++) dl_conflicts_part(&r->conflicts, d->chosen[i]);
    for (int i = 0; i < d->count; i++) {
        int agent = d->chosen[i];
        for (int k = 0; k < r->found_count[i]; k++)
            if (!dl_conflicts_join(&r->conflicts, agent, *partner++)) r->planner->exhausted = true;
        r->soc += r->planner->track[agent].cost - r->planner->spare[agent].cost;
    }
    r->accepted++;
    assert(r->soc >= 0 && r->conflicts.pairs >= 0);
}

/* Once no new low has come for a while, colliding pairs weigh more, and again after each such while. */
static void break_out(dl_repair *r)
{
    assert(r->low_at <= r->iterations && r->fewest <= r->milestone);
    if (r->conflicts.pairs < r->fewest) {
        r->fewest = r->conflicts.pairs;
        r->low_at = r->iterations;
    }
    if ((double)r->fewest <= MILESTONE * (double)r->milestone) {
        r->milestone = r->fewest;
        r->milestone_at = r->iterations;
    }
    if (dl_is_without(DL_TECHNIQUE_breakout)) return;
    if (r->options.breakout == 0 || r->iterations < r->low_at + r->options.breakout) return;
    r->low_at = r->iterations;
    if (!dl_conflicts_raise(&r->conflicts, &r->weights)) r->planner->exhausted = true;
}

/* How many agents to replan together: few where room is kept, which repairs fuller boards (docs/ablation.md). */
static int draw_size(dl_repair *r)
{
    int most = r->destroy.most;
    if (!r->options.vary || dl_is_without(DL_TECHNIQUE_repair_sizes)) return most;
    if (r->options.lateness == DL_LATENESS_ALWAYS_KEPT && most > DL_FEW_NEIGHBORS) most = DL_FEW_NEIGHBORS;
    return most > 2 ? 2 + (int)dl_rng_below(&r->rng, (uint32_t)most - 1) : most;
}

bool dl_repair_step(dl_repair *r, const dl_deadline *deadline)
{
    dl_destroy *d = &r->destroy;
    d->size = draw_size(r);
    int strategy = dl_destroy_draw_strategy(d);
    r->iterations++;
    if (!dl_destroy_choose(d, strategy, deadline)) return false;
    assert(d->count > 0 && d->count <= d->size);
    int old = dl_conflicts_touching(&r->conflicts, &r->weights, d->chosen, d->count), weight;
    if (old == 0) {
        dl_destroy_reward(d, strategy, REACTION, 0);
        return false;
    }
    dl_rng_shuffle(&r->rng, d->chosen, d->count);
    for (int i = 0; i < d->count; i++) dl_planner_remove(r->planner, d->chosen[i]);
    int replanned = repair_replan(r, old, deadline, &weight);
    bool kept = replanned == d->count;
    assert(!kept || weight <= old);
    if (kept)
        repair_keep(r);
    else
        take_back(r, replanned);
    if (kept && weight < old) r->gained = r->iterations;
    dl_destroy_reward(d, strategy, REACTION, kept ? old - weight : 0);
    break_out(r);
    if (r->options.audit && !dl_repair_audit(r)) abort();
    return kept;
}

bool dl_repair_run(dl_repair *r, uint64_t iterations, const dl_deadline *deadline)
{
    for (uint64_t i = 0; r->conflicts.pairs > 0; i++) {
        if (i >= iterations || r->planner->exhausted || dl_deadline_passed(deadline)) return false;
        dl_repair_step(r, deadline);
    }
    return true;
}

bool dl_repair_is_stuck(const dl_repair *r)
{
    return r->iterations >= 2 * r->milestone_at;
}

bool dl_repair_audit(dl_repair *r)
{
    int64_t soc = 0;
    for (int agent = 0; agent < r->conflicts.agents; agent++) soc += r->planner->track[agent].cost;
    return soc == r->soc && r->planner->ops->audit(r->planner) && dl_conflicts_audit(&r->conflicts, r->planner);
}

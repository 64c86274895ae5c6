#include "lns/improve.h"

#include <assert.h>
#include <stdlib.h>

#include "base/ablation.h"

/* How fast a strategy's weight follows its success: gains are rarer here than in repair. */
static const double REACTION = 0.01;
/* Searches between two looks at the clock: even on large maps that is less than a tenth of a second. */
enum { CLOCK_EVERY = 8 };

bool dl_improve_begin(dl_improve *m, dl_planner *planner, const dl_improve_options *options)
{
    *m = (dl_improve){.planner = planner, .options = *options};
    return dl_destroy_begin(&m->destroy, planner, NULL, &m->rng, options->neighbors);
}

void dl_improve_end(dl_improve *m)
{
    dl_destroy_end(&m->destroy);
}

void dl_improve_start(dl_improve *m, uint64_t seed, uint64_t index)
{
    m->rng = dl_rng_stream(seed, DL_PURPOSE('i', 'm', 'p', 'r'), index);
    m->planner->rng = dl_rng_stream(seed, DL_PURPOSE('i', 'm', 't', 'i'), index);
    m->iterations = m->accepted = m->searches = 0;
    m->other_orders = 0;
    m->soc = 0;
    for (int agent = 0; agent < m->planner->instance->agents; agent++) {
        assert(m->planner->in_table[agent]);
        m->soc += m->planner->track[agent].cost;
    }
    dl_destroy_restart(&m->destroy);
    dl_sizes_start(&m->sizes, m->destroy.most);
}

/* Replans the chosen agents in their order, as long as they can together stay within `budget`. Returns how many got a
 * new path into the table; *cost is what those cost. */
static int improve_replan(dl_improve *m, int64_t budget, const dl_deadline *deadline, int64_t *cost)
{
    dl_planner *p = m->planner;
    const dl_destroy *d = &m->destroy;
    int64_t ahead = 0; /* the least that the agents still to plan will cost */
    for (int i = 0; i < d->count; i++) ahead += d->shortest[d->chosen[i]];
    *cost = 0;
    for (int i = 0; i < d->count; i++) {
        int agent = d->chosen[i];
        ahead -= d->shortest[agent];
        int64_t latest = budget - *cost - ahead;
        if (latest < d->shortest[agent]) return i;
        if (i % CLOCK_EVERY == CLOCK_EVERY - 1 && dl_deadline_passed(deadline)) return i;
        dl_request request = DL_HARD_REQUEST;
        request.rule = m->options.rule;
        if (latest < request.latest) request.latest = (int)latest;
        m->searches++;
        if (dl_planner_plan(p, agent, &request) < 0) return i;
        assert(p->spare[agent].cost >= d->shortest[agent] && p->spare[agent].cost <= request.latest);
        *cost += p->spare[agent].cost;
        if (!dl_planner_adopt(p, agent)) return i;
    }
    return d->count;
}

/* Takes the new paths out of the table; the old ones are the agents' own again. */
static void give_up(dl_improve *m, int replanned)
{
    for (int i = 0; i < replanned; i++) {
        dl_planner_remove(m->planner, m->destroy.chosen[i]);
        dl_planner_exchange(m->planner, m->destroy.chosen[i]);
    }
}

/* An agent that found no way goes before one of those who had theirs before it. */
static void improve_promote(dl_improve *m, int late)
{
    assert(late > 0 && late < m->destroy.count);
    int32_t *chosen = m->destroy.chosen, agent = chosen[late];
    int place = (int)dl_rng_below(&m->rng, (uint32_t)late);
    for (int i = late; i > place; i--) chosen[i] = chosen[i - 1];
    chosen[place] = agent;
}

/* Replans the chosen agents within `budget`, in several orders; true if all have a new path in the table. Otherwise
 * none is in it. */
static bool replan_all(dl_improve *m, int64_t budget, const dl_deadline *deadline, int64_t *cost)
{
    int count = m->destroy.count, replanned = improve_replan(m, budget, deadline, cost);
    int orders = dl_is_without(DL_TECHNIQUE_other_orders) ? 0 : m->other_orders;
    for (int others = orders; replanned < count; others--) {
        give_up(m, replanned);
        bool is_over = m->planner->exhausted || dl_deadline_passed(deadline);
        if (replanned == 0 || others == 0 || is_over) return false;
        improve_promote(m, replanned);
        replanned = improve_replan(m, budget, deadline, cost);
    }
    return true;
}

static bool improve_audit(dl_improve *m)
{
    int64_t soc = 0;
    int32_t partner[1];
    bool free_of_conflicts = true;
    for (int agent = 0; agent < m->planner->instance->agents; agent++) {
        dl_planner_remove(m->planner, agent);
        free_of_conflicts =
            free_of_conflicts && dl_planner_partners(m->planner, &m->planner->track[agent], 0, partner) == 0;
        dl_planner_put_back(m->planner, agent);
        soc += m->planner->track[agent].cost;
    }
    return free_of_conflicts && soc == m->soc && m->planner->ops->audit(m->planner);
}

/* Replans the chosen agents; true if the result was kept. */
static bool replace_chosen(dl_improve *m, const dl_deadline *deadline, int64_t *gain)
{
    dl_planner *p = m->planner;
    const dl_destroy *d = &m->destroy;
    int64_t old = 0, cost;
    for (int i = 0; i < d->count; i++) old += p->track[d->chosen[i]].cost;
    dl_rng_shuffle(&m->rng, d->chosen, d->count);
    for (int i = 0; i < d->count; i++) dl_planner_remove(p, d->chosen[i]);
    bool level = m->options.level && !dl_is_without(DL_TECHNIQUE_level);
    bool kept = replan_all(m, level ? old : old - 1, deadline, &cost);
    if (kept) {
        m->soc += cost - old;
        m->accepted++;
    } else {
        for (int i = 0; i < d->count; i++) dl_planner_put_back(p, d->chosen[i]);
    }
    *gain = kept ? old - cost : 0;
    assert(*gain >= 0 && m->soc >= 0);
    if (m->options.audit && !improve_audit(m)) abort();
    return kept;
}

bool dl_improve_step(dl_improve *m, const dl_deadline *deadline)
{
    dl_destroy *d = &m->destroy;
    int64_t gain;
    if (m->options.vary) d->size = dl_sizes_draw(&m->sizes, &m->rng);
    int strategy = dl_destroy_draw_strategy(d);
    uint64_t before = m->searches;
    m->iterations++;
    if (!dl_destroy_choose(d, strategy, deadline)) return false;
    bool kept = replace_chosen(m, deadline, &gain);
    if (m->options.vary) dl_sizes_reward(&m->sizes, kept, gain > 0 ? gain : 0, m->searches - before);
    dl_destroy_note(d, gain > 0);
    dl_destroy_reward(d, strategy, REACTION, gain > 0 ? (double)gain / d->count : 0);
    return kept;
}

bool dl_improve_step_near(dl_improve *m, int agent, const dl_deadline *deadline)
{
    int64_t gain;
    if (m->options.vary) m->destroy.size = dl_sizes_draw(&m->sizes, &m->rng);
    m->iterations++;
    return dl_destroy_near(&m->destroy, agent, deadline) && replace_chosen(m, deadline, &gain);
}

void dl_improve_run(dl_improve *m, uint64_t iterations, const dl_deadline *deadline)
{
    int64_t bound = 0;
    for (int agent = 0; agent < m->planner->instance->agents; agent++) bound += m->destroy.shortest[agent];
    for (uint64_t i = 0; i < iterations && m->soc > bound; i++) {
        if (m->planner->exhausted || dl_deadline_passed(deadline)) return;
        dl_improve_step(m, deadline);
    }
    assert(m->soc >= bound || m->planner->exhausted);
}

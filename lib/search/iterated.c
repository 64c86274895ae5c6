#include "search/iterated.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

const double DL_KICK_SIZE[DL_KICK_SIZES] = {1, 0.4, 0.15, 0.05};

/* The opening, before the first kick, is over when so many searches an agent bring less than this share. */
static const uint64_t OPENING_SEARCHES = 100;
static const double OPENING_GAIN = 0.02;
/* Searches for each agent touched between two looks at whether a round is worth going on with. */
static const uint64_t PAUSE_SEARCHES = 60;
/* A round that is still dearer than the record goes on if the pace of its last part would reach it in so many more. */
static const double REACH = 3;
/* Iterations a repair may take: the tighter the plan, the more agents besides those kicked have to make room. */
static const uint64_t REPAIR_ITERATIONS = 80, LEAST_REPAIR = 2000;
/* The steps of all paths that a kick may take: more would take too long between two looks at the clock. */
enum { MOST_KICKED_STEPS = 1 << 20 };
/* How fast what is known of a size follows its last rounds, and the share of kicks of a size drawn at random. */
static const double REACTION = 0.2, CURIOSITY = 0.2;
/* The iterations of an annealing cycle for each agent, and how far it cools down. */
static const uint64_t CYCLE_ITERATIONS = 1000;
static const double COLD = 0.05;

bool dl_iterated_begin(dl_iterated *m, dl_planner *planner, const dl_iterated_options *options)
{
    int agents = planner->instance->agents;
    *m = (dl_iterated){.planner = planner, .options = *options};
    dl_improve_begin(&m->improve, planner, &options->improve);
    dl_repair_begin(&m->repair, planner, &options->repair);
    bool ready = dl_kick_begin(&m->kick, planner, &m->rng);
    ready = dl_snapshot_begin(&m->best, agents) && ready;
    return dl_snapshot_begin(&m->base, agents) && ready;
}

void dl_iterated_end(dl_iterated *m)
{
    dl_improve_end(&m->improve);
    dl_repair_end(&m->repair);
    dl_kick_end(&m->kick);
    dl_snapshot_end(&m->best);
    dl_snapshot_end(&m->base);
}

static void touch(dl_iterated *m, const int32_t *agent, int count)
{
    dl_snapshot_touch_all(&m->best, agent, count);
    dl_snapshot_touch_all(&m->base, agent, count);
}

/* Searches between two looks at how it goes. */
static uint64_t stretch(const dl_iterated *m)
{
    if (m->phase == DL_OPENING) return OPENING_SEARCHES * (uint64_t)m->planner->instance->agents;
    return PAUSE_SEARCHES * (uint64_t)(m->base.count + 1);
}

static void go_on(dl_iterated *m)
{
    m->stretch = stretch(m);
    m->pause = m->searches + m->stretch;
    m->cost_was = m->improve.soc;
}

bool dl_iterated_start(dl_iterated *m, uint64_t seed, uint64_t index)
{
    int agents = m->planner->instance->agents;
    m->rng = dl_rng_stream(seed, DL_PURPOSE('i', 't', 'e', 'r'), index);
    m->repair.rng = dl_rng_stream(seed, DL_PURPOSE('i', 't', 'r', 'e'), index);
    dl_destroy_restart(&m->repair.destroy);
    dl_improve_start(&m->improve, seed, index);
    m->iterations = m->searches = m->rounds = m->kept = 0;
    m->phase = DL_OPENING;
    for (int i = 0; i < DL_KICK_SIZES; i++) m->value[i] = INFINITY; /* not tried yet */
    for (int agent = 0; agent < agents; agent++) touch(m, &agent, 1);
    go_on(m);
    return dl_snapshot_take(&m->best, m->planner, m->improve.soc) &&
           dl_snapshot_take(&m->base, m->planner, m->improve.soc);
}

/* ---- rounds ---- */

/* The first not tried yet, or one drawn by value. */
static int draw_size(dl_iterated *m)
{
    double sum = 0, chance[DL_KICK_SIZES];
    int sizes = 0;
    for (int i = 0; i < DL_KICK_SIZES; i++) {
        if (!(m->options.kicks >> i & 1)) continue;
        if (isinf(m->value[i])) return i;
        sum += m->value[i];
        sizes++;
    }
    double draw = dl_rng_unit(&m->rng);
    int last = 0;
    for (int i = 0; i < DL_KICK_SIZES; i++) {
        if (!(m->options.kicks >> i & 1)) continue;
        chance[i] = sum > 0 ? CURIOSITY / sizes + (1 - CURIOSITY) * m->value[i] / sum : 1.0 / sizes;
        last = i;
        if (draw < chance[i]) break;
        draw -= chance[i];
    }
    return last;
}

static void begin_polish(dl_iterated *m)
{
    m->improve.soc = m->repair.soc;
    m->phase = DL_POLISHING;
    go_on(m);
}

static void begin_round(dl_iterated *m)
{
    int agents = m->planner->instance->agents;
    m->rounds++;
    m->size = draw_size(m);
    m->record = m->best.soc;
    m->began = m->searches;
    double size = ceil(DL_KICK_SIZE[m->size] * agents);
    double most = 1 + (double)MOST_KICKED_STEPS * agents / (double)m->base.soc;
    dl_kick_choose(&m->kick, (int)(size < most ? size : most), m->improve.destroy.shortest);
    dl_kick_move_waits(&m->kick, m->options.moved);
    touch(m, m->kick.agent, m->kick.count);
    dl_repair_resume(&m->repair, m->kick.agent, m->kick.count);
    m->phase = DL_REPAIRING;
    if (m->repair.conflicts.pairs == 0) begin_polish(m);
}

static bool audit(dl_iterated *m)
{
    int64_t soc = 0;
    for (int agent = 0; agent < m->planner->instance->agents; agent++) soc += m->best.track[agent].cost;
    return soc == m->best.soc && m->improve.soc == m->base.soc && m->best.soc <= m->base.soc &&
           m->planner->ops->audit(m->planner);
}

/* Keeps the round or takes it back, and learns from it. */
static bool end_round(dl_iterated *m, bool repaired)
{
    m->phase = DL_RESTING;
    double gain = (double)(m->record - m->best.soc) / (double)(m->searches - m->began + 1);
    m->value[m->size] = isinf(m->value[m->size]) ? gain : m->value[m->size] + REACTION * (gain - m->value[m->size]);
    if (repaired && (double)m->improve.soc <= (double)m->best.soc * (1 + m->options.deviation)) {
        m->kept++;
        if (!dl_snapshot_take(&m->base, m->planner, m->improve.soc)) return false;
    } else {
        /* The best plan may have been taken in the round. */
        dl_snapshot_touch_all(&m->best, m->base.touched, m->base.count);
        if (!dl_snapshot_go_back(&m->base, m->planner)) return false;
        m->improve.soc = m->base.soc;
    }
    if (m->options.audit && !audit(m)) abort();
    return true;
}

/* Is what goes on worth going on with? */
static bool is_worth_it(const dl_iterated *m)
{
    double drop = (double)(m->cost_was - m->improve.soc), gap = (double)(m->improve.soc - m->record);
    if (m->phase == DL_OPENING) return m->options.kicks == 0 || drop >= OPENING_GAIN * (double)m->cost_was;
    if (gap > 0) return drop * REACH >= gap;
    /* Below the record: as long as it gains more than a search has gained on average since the opening. */
    double average = (double)(m->opening_cost - m->best.soc) / (double)(m->searches - m->opening_searches + 1);
    return drop > average * (double)m->stretch;
}

/* ---- steps ---- */

static bool repair_step(dl_iterated *m, const dl_deadline *deadline)
{
    dl_repair *r = &m->repair;
    uint64_t before = r->searches, most = REPAIR_ITERATIONS * (uint64_t)m->kick.count;
    if (dl_repair_step(r, deadline)) touch(m, r->destroy.chosen, r->destroy.count);
    m->searches += r->searches - before;
    if (r->conflicts.pairs == 0)
        begin_polish(m);
    else if (r->iterations >= (most > LEAST_REPAIR ? most : LEAST_REPAIR))
        return end_round(m, false);
    return true;
}

/* What a step may cost when annealing: exponentially distributed, less and less in a cycle. */
static int64_t draw_allowance(dl_iterated *m)
{
    if (m->options.temperature <= 0) return 0;
    uint64_t cycle = CYCLE_ITERATIONS * (uint64_t)m->planner->instance->agents;
    double progress = (double)(m->iterations % cycle) / (double)cycle;
    return (int64_t)(-m->options.temperature * pow(COLD, progress) * log(1 - dl_rng_unit(&m->rng)));
}

static bool improve_step(dl_iterated *m, const dl_deadline *deadline)
{
    dl_improve *improve = &m->improve;
    uint64_t before = improve->searches;
    bool local = m->phase == DL_POLISHING && m->size > 0 && m->base.count > 0, kept;
    improve->allowance = draw_allowance(m);
    if (local)
        kept = dl_improve_step_near(improve, m->base.touched[dl_rng_below(&m->rng, (uint32_t)m->base.count)], deadline);
    else
        kept = dl_improve_step(improve, deadline);
    m->searches += improve->searches - before;
    if (kept) touch(m, improve->destroy.chosen, improve->destroy.count);
    return improve->soc >= m->best.soc || dl_snapshot_take(&m->best, m->planner, improve->soc);
}

static bool end_opening(dl_iterated *m)
{
    m->phase = DL_RESTING;
    m->opening_cost = m->best.soc;
    m->opening_searches = m->searches;
    return dl_snapshot_take(&m->base, m->planner, m->improve.soc);
}

/* One iteration of whatever goes on; false when memory is out. */
static bool step(dl_iterated *m, const dl_deadline *deadline)
{
    m->iterations++;
    if (m->phase == DL_RESTING) begin_round(m);
    if (m->phase == DL_REPAIRING) return repair_step(m, deadline);
    if (!improve_step(m, deadline)) return false;
    if (m->searches < m->pause) return true;
    if (!is_worth_it(m)) return m->phase == DL_OPENING ? end_opening(m) : end_round(m, true);
    go_on(m);
    return true;
}

void dl_iterated_run(dl_iterated *m, uint64_t iterations, const dl_deadline *deadline)
{
    int64_t bound = 0;
    for (int agent = 0; agent < m->planner->instance->agents; agent++) bound += m->improve.destroy.shortest[agent];
    for (uint64_t i = 0; i < iterations && m->best.soc > bound; i++)
        if (dl_deadline_passed(deadline) || !step(m, deadline)) return;
}

bool dl_iterated_adopt(dl_iterated *m, const dl_track *track, int64_t soc, const dl_deadline *deadline)
{
    dl_planner *p = m->planner;
    int32_t agents = p->instance->agents;
    for (int32_t agent = 0; agent < agents; agent++) {
        if (p->in_table[agent] && dl_track_equal(&p->track[agent], &track[agent])) continue;
        if (dl_deadline_passed(deadline)) return false;
        touch(m, &agent, 1);
        if (p->in_table[agent]) dl_planner_remove(p, agent);
        dl_track_copy(&p->track[agent], &track[agent]);
        dl_planner_insert(p, agent);
    }
    m->improve.soc = soc;
    if (m->phase != DL_OPENING) m->phase = DL_RESTING;
    return dl_snapshot_take(&m->best, p, soc) && dl_snapshot_take(&m->base, p, soc);
}

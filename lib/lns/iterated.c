#include "lns/iterated.h"

#include <math.h>
#include <stdlib.h>

#include "base/ablation.h"
#include "base/memory.h"
#include "lacam/lacam.h"
#include "lns/traffic.h"
#include "lns/windows.h"

/* The share of all agents that a kick takes. */
static const double KICK_SIZE[DL_ROUNDS] = {
    [DL_ROUND_EVERYBODY] = 1, [DL_ROUND_LARGE] = 0.4, [DL_ROUND_MEDIUM] = 0.15, [DL_ROUND_SMALL] = 0.05};
/* Kicks of regions are about so many steps at least: in tight plans a wait moved farther off makes more collisions than
 * repair can take away. */
static const double LEAST_SPAN = 4;
/* The opening, before the first kick, is over when so many searches an agent bring less than this share. */
static const uint64_t OPENING_SEARCHES = 100;
static const double OPENING_GAIN = 0.02;
/* Searches for each agent touched between two looks at whether a round is worth going on with. */
static const uint64_t PAUSE_SEARCHES = 60;
/* A round that still costs more than the record goes on if the pace of its last part would reach it in so many more. */
static const double REACH = 3;
/* Iterations a repair may take: the tighter the plan, the more agents besides those kicked have to make room. */
static const uint64_t REPAIR_ITERATIONS = 80, LEAST_REPAIR = 2000;
/* ... and the repair of a fresh start, which keeps the room it makes (DL_LATENESS_ALWAYS_KEPT). */
static const uint64_t START_ITERATIONS = 250, LEAST_START = 50000;
/* ... and the steps LaCAM may try where it makes the start: a few tenths of a second on the fullest boards. */
static const uint64_t START_STEPS = 20000;
/* After the first few for each agent kicked, so many pairs an agent still colliding mean that it will not come to an
 * end: where repair succeeds there are a third of that, on boards that are too full twice as many and more. */
static const uint64_t FIRST_ITERATIONS = 4;
static const double HOPELESS_PAIRS = 0.5;
/* The steps of all paths that a kick may take: more would take too long between two looks at the clock. */
enum { MOST_KICKED_STEPS = 1 << 20 };
/* How fast what is known of a kind follows its last rounds, and the share of all searches that every kind gets, because
 * what helps changes as plans get better. */
static const double REACTION = 0.3, CURIOSITY = 0.03;
/* Windows have this many steps at least, and at most so many times that. LaCAM may expand so many configurations for a
 * step; one takes as long as so many searches. Its tables would take too long for more cells times agents. */
enum { WINDOW_STEPS = 8, WINDOW_DOUBLINGS = 3, WINDOW_EXPANSIONS = 16, EXPANSION_SEARCHES = 4 };
static const int64_t MOST_WINDOW_FIELDS = 1 << 20;
/* Nor are windows tried on plans of more positions: reading and checking one would take too long. */
static const int64_t MOST_WINDOW_POSITIONS = 1 << 22;
/* Searches for each agent from one try to hasten the plan to the next: few while it gains more than searches do for the
 * time it takes, more while it does not. A try takes as long as a search for so many positions of the plan. */
static const uint64_t LEAST_HASTEN_PAUSE = 2, MOST_HASTEN_PAUSE = 256;
static const int64_t HASTEN_POSITIONS = 128;
/* After the opening, a group that finds no way is tried in so many other orders: a plan that has stalled drifts until
 * something gives way, and so it drifts faster. While plans still fall, other groups find more. */
enum { OTHER_ORDERS = 4 };
/* The iterations of an annealing cycle for each agent, and how far it cools down. */
static const uint64_t CYCLE_ITERATIONS = 1000;
static const double COLD = 0.05;

static void leave_out_ablated(dl_iterated_options *options)
{
    const unsigned kicks = 1 << DL_ROUND_EVERYBODY | 1 << DL_ROUND_LARGE | 1 << DL_ROUND_MEDIUM | 1 << DL_ROUND_SMALL;
    if (dl_is_without(DL_TECHNIQUE_windows)) options->kinds &= ~(1U << DL_ROUND_WINDOWS);
    if (dl_is_without(DL_TECHNIQUE_kicks)) options->kinds &= ~kicks;
    if (dl_is_without(DL_TECHNIQUE_spans)) options->spans = false;
    if (dl_is_without(DL_TECHNIQUE_deviation)) options->deviation = 0;
}

bool dl_iterated_begin(dl_iterated *m, dl_planner *planner, const dl_iterated_options *options)
{
    int agents = planner->instance->agents;
    *m = (dl_iterated){.planner = planner, .options = *options};
    if ((int64_t)agents * planner->instance->grid->cells > MOST_WINDOW_FIELDS)
        m->options.kinds &= ~(1U << DL_ROUND_WINDOWS);
    leave_out_ablated(&m->options);
    bool ready = dl_improve_begin(&m->improve, planner, &options->improve);
    ready = dl_repair_begin(&m->repair, planner, &options->repair) && ready;
    ready = dl_kick_begin(&m->kick, planner, &m->rng) && ready;
    ready = dl_hasten_begin(&m->hasten, planner->instance) && ready;
    ready = dl_snapshot_begin(&m->best, agents) && ready;
    return dl_snapshot_begin(&m->base, agents) && ready;
}

void dl_iterated_end(dl_iterated *m)
{
    dl_improve_end(&m->improve);
    dl_repair_end(&m->repair);
    dl_kick_end(&m->kick);
    dl_hasten_end(&m->hasten);
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
    if (m->phase == DL_OPENING || m->kind == DL_ROUND_ON)
        return OPENING_SEARCHES * (uint64_t)m->planner->instance->agents;
    return PAUSE_SEARCHES * (uint64_t)(m->base.count + 1);
}

static void go_on(dl_iterated *m)
{
    m->stretch = stretch(m);
    m->pause = m->searches + m->stretch;
    m->cost_was = m->improve.soc;
}

static void hasten_soon(dl_iterated *m)
{
    m->hasten_at = m->hasten_was = m->searches;
    if (dl_is_without(DL_TECHNIQUE_hasten)) m->hasten_at = UINT64_MAX;
    m->hasten_pause = LEAST_HASTEN_PAUSE * (uint64_t)m->planner->instance->agents;
    m->hasten_cost = m->improve.soc;
}

bool dl_iterated_start(dl_iterated *m, uint64_t seed, uint64_t index)
{
    int agents = m->planner->instance->agents;
    m->rng = dl_rng_stream(seed, DL_PURPOSE('i', 't', 'e', 'r'), index);
    m->repair.rng = dl_rng_stream(seed, DL_PURPOSE('i', 't', 'r', 'e'), index);
    dl_destroy_restart(&m->repair.destroy);
    dl_improve_start(&m->improve, seed, index);
    m->iterations = m->searches = m->rounds = m->kept = m->lacams = 0;
    hasten_soon(m);
    if (m->planner->instance->errand) m->hasten_at = UINT64_MAX; /* it would leave out their waits and loops */
    m->phase = DL_OPENING;
    m->lessons = (dl_lessons){0};
    for (int agent = 0; agent < agents; agent++) touch(m, &agent, 1);
    go_on(m);
    return dl_snapshot_take(&m->best, m->planner, m->improve.soc) &&
           dl_snapshot_take(&m->base, m->planner, m->improve.soc);
}

/* ---- rounds ---- */

static bool is_allowed(const dl_iterated *m, int kind)
{
    const dl_planner *p = m->planner;
    if (kind == DL_ROUND_WINDOWS && (int64_t)p->makespan * p->instance->agents > MOST_WINDOW_POSITIONS) return false;
    return m->options.kinds >> kind & 1;
}

/* Searches go to kinds by the square of what they gain for one, so that the best get most: a kind is drawn the less
 * often the longer its rounds are. */
static double weight_of(const dl_round_record *known)
{
    if (known->value <= 0) return 0;
    return known->value * known->value * (double)known->rounds / (double)known->searches;
}

/* One that was not tried yet, or got too few searches, or else one drawn by value. */
static dl_round draw_kind(dl_iterated *m)
{
    double sum = 0;
    uint64_t all = m->searches - m->lessons.opening_searches;
    for (int kind = 0; kind < DL_ROUNDS; kind++) {
        if (!is_allowed(m, kind)) continue;
        const dl_round_record *known = &m->lessons.known[kind];
        if (known->rounds == 0 || (double)known->searches < CURIOSITY * (double)all) return (dl_round)kind;
        sum += weight_of(known);
    }
    double draw = dl_rng_unit(&m->rng) * sum;
    dl_round last = DL_ROUND_ON; /* if nothing gains anything any more */
    for (int kind = 0; kind < DL_ROUNDS && sum > 0; kind++) {
        double weight = weight_of(&m->lessons.known[kind]);
        if (!is_allowed(m, kind) || weight <= 0) continue;
        last = (dl_round)kind;
        if (draw < weight) break;
        draw -= weight;
    }
    return last;
}

static void begin_polish(dl_iterated *m, int64_t soc)
{
    m->improve.soc = soc;
    m->phase = DL_POLISHING;
    go_on(m);
}

/* From the least to the whole plan, short ones more often: where boards are tight, only those can be repaired. */
static int draw_span(dl_iterated *m)
{
    double most = m->planner->makespan;
    if (!m->options.spans || most <= LEAST_SPAN) return 0;
    return (int)(LEAST_SPAN * pow(most / LEAST_SPAN, dl_rng_unit(&m->rng)));
}

static void choose_kicked(dl_iterated *m)
{
    int agents = m->planner->instance->agents;
    double size = ceil(KICK_SIZE[m->kind] * agents);
    double most = 1 + (double)MOST_KICKED_STEPS * agents / (double)m->base.soc;
    dl_kick_choose(&m->kick, (int)(size < most ? size : most), draw_span(m), m->improve.destroy.shortest);
}

static bool begin_repair(dl_iterated *m)
{
    touch(m, m->kick.agent, m->kick.count);
    m->phase = DL_REPAIRING;
    if (!dl_repair_resume(&m->repair, m->kick.agent, m->kick.count)) return false;
    if (m->repair.conflicts.pairs == 0) begin_polish(m, m->repair.soc);
    return true;
}

static bool begin_kick(dl_iterated *m)
{
    choose_kicked(m);
    dl_kick_move_waits(&m->kick, m->options.moved);
    return begin_repair(m);
}

static bool audit(dl_iterated *m)
{
    int64_t soc = 0;
    for (int agent = 0; agent < m->planner->instance->agents; agent++) soc += m->best.track[agent].cost;
    return soc == m->best.soc && m->improve.soc == m->base.soc && m->best.soc <= m->base.soc &&
           m->planner->ops->audit(m->planner);
}

/* Keeps the round or takes it back, and learns from it. */
static bool end_round(dl_iterated *m, bool valid)
{
    dl_round_record *known = &m->lessons.known[m->kind];
    uint64_t searches = m->searches - m->began + 1;
    double gain = (double)(m->record - m->best.soc) / (double)searches;
    known->value += known->rounds == 0 ? gain : REACTION * (gain - known->value);
    known->searches += searches;
    known->rounds++;
    m->phase = DL_RESTING;
    if (valid && (double)m->improve.soc <= (double)m->best.soc * (1 + m->options.deviation)) {
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

/* Makes the planner's table that of a plan. */
static bool read_plan(dl_iterated *m, const dl_plan *plan)
{
    dl_planner *p = m->planner;
    for (int32_t agent = 0; agent < plan->agents; agent++) {
        dl_planner_remove(p, agent);
        touch(m, &agent, 1);
    }
    for (int agent = 0; agent < plan->agents; agent++)
        if (!dl_planner_read_path(p, agent, &plan->path[agent]) || !dl_planner_insert(p, agent)) return false;
    m->improve.soc = dl_plan_soc(plan);
    return m->improve.soc >= m->best.soc || dl_snapshot_take(&m->best, p, m->improve.soc);
}

/* One pass of windows of a random width over the plan: a round of its own. */
static bool resolve_windows(dl_iterated *m, const dl_deadline *deadline)
{
    int width = (int)(WINDOW_STEPS * exp2(WINDOW_DOUBLINGS * dl_rng_unit(&m->rng)));
    dl_window_lacam lacam = {.seed = dl_rng_u64(&m->rng), .expansions = (uint64_t)(WINDOW_EXPANSIONS * width)};
    dl_windows_options options = {
        .width = width, .widest = width, .window_seconds = INFINITY, .solver = dl_window_by_lacam, .user = &lacam};
    dl_windows_result result;
    dl_plan *plan = dl_planner_write_plan(m->planner);
    if (!plan) return false;
    dl_windows_improve(m->planner->instance, &options, *deadline, &plan, &result);
    m->searches += EXPANSION_SEARCHES * lacam.expanded + (uint64_t)(result.tried * m->planner->instance->agents);
    bool done = (result.soc_after >= result.soc_before || read_plan(m, plan)) && end_round(m, true);
    dl_plan_free(plan);
    return done;
}

static bool begin_round(dl_iterated *m, const dl_deadline *deadline)
{
    m->rounds++;
    m->kind = draw_kind(m);
    m->record = m->best.soc;
    m->began = m->searches;
    if (m->kind == DL_ROUND_WINDOWS) return resolve_windows(m, deadline);
    if (m->kind != DL_ROUND_ON) return begin_kick(m);
    begin_polish(m, m->improve.soc);
    return true;
}

/* Is what goes on worth going on with? */
static bool is_worth_it(const dl_iterated *m)
{
    double drop = (double)(m->cost_was - m->improve.soc), gap = (double)(m->improve.soc - m->record);
    if (m->phase == DL_OPENING) return m->options.kinds == 0 || drop >= OPENING_GAIN * (double)m->cost_was;
    if (gap > 0) return drop * REACH >= gap;
    /* Below the record: as long as it gains more than a search has gained on average since the opening. */
    double average =
        (double)(m->lessons.opening_cost - m->best.soc) / (double)(m->searches - m->lessons.opening_searches + 1);
    return drop > average * (double)m->stretch;
}

/* ---- steps ---- */

static bool is_hopeless(const dl_iterated *m)
{
    const dl_repair *r = &m->repair;
    uint64_t kicked = (uint64_t)m->kick.count, most = REPAIR_ITERATIONS * kicked;
    if (r->iterations == FIRST_ITERATIONS * kicked) return (double)r->conflicts.pairs > HOPELESS_PAIRS * (double)kicked;
    return r->iterations >= (most > LEAST_REPAIR ? most : LEAST_REPAIR);
}

/* The plan of a fresh start becomes the best one. */
static bool end_start(dl_iterated *m, int64_t soc)
{
    m->repair.options.lateness = m->options.repair.lateness;
    m->improve.soc = soc;
    m->phase = DL_OPENING;
    go_on(m);
    return dl_snapshot_take(&m->best, m->planner, soc) && dl_snapshot_take(&m->base, m->planner, soc);
}

static bool start_step(dl_iterated *m, const dl_deadline *deadline)
{
    dl_repair *r = &m->repair;
    uint64_t before = r->searches, most = START_ITERATIONS * (uint64_t)m->planner->instance->agents;
    dl_repair_step(r, deadline);
    m->searches += r->searches - before;
    if (r->conflicts.pairs == 0) return end_start(m, r->soc);
    if (r->iterations >= (most > LEAST_START ? most : LEAST_START) && dl_repair_is_stuck(r)) m->phase = DL_STRANDED;
    return true;
}

static bool repair_step(dl_iterated *m, const dl_deadline *deadline)
{
    dl_repair *r = &m->repair;
    uint64_t before = r->searches;
    if (dl_repair_step(r, deadline)) touch(m, r->destroy.chosen, r->destroy.count);
    m->searches += r->searches - before;
    if (r->conflicts.pairs > 0) return !is_hopeless(m) || end_round(m, false);
    begin_polish(m, r->soc);
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
    bool of_a_region = KICK_SIZE[m->kind] > 0 && KICK_SIZE[m->kind] < 1, kept;
    improve->allowance = draw_allowance(m);
    improve->other_orders = m->phase == DL_POLISHING ? OTHER_ORDERS : 0;
    if (m->phase == DL_POLISHING && of_a_region && m->base.count > 0)
        kept = dl_improve_step_near(improve, m->base.touched[dl_rng_below(&m->rng, (uint32_t)m->base.count)], deadline);
    else
        kept = dl_improve_step(improve, deadline);
    m->searches += improve->searches - before;
    if (kept) touch(m, improve->destroy.chosen, improve->destroy.count);
    return improve->soc >= m->best.soc || dl_snapshot_take(&m->best, m->planner, improve->soc);
}

/* Tries to hasten the plan; false when memory is out. */
static bool hasten(dl_iterated *m, const dl_deadline *deadline)
{
    uint64_t agents = (uint64_t)m->planner->instance->agents;
    dl_planner *p = m->planner;
    int64_t saved = dl_hasten_find(&m->hasten, p->track, p->makespan, p->spare, deadline);
    int64_t effort = 1 + m->improve.soc / HASTEN_POSITIONS;
    if (saved < 0) return false;
    /* What as many searches gained since the last try; less than nothing if there was a kick. */
    double searched = (double)(m->hasten_cost - m->improve.soc) / (double)(m->searches - m->hasten_was + 1);
    bool pays = saved > 0 && (double)saved >= searched * (double)effort;
    m->searches += (uint64_t)effort;
    dl_sizes_share_gain(&m->improve.sizes, saved);
    m->hasten_pause = pays ? LEAST_HASTEN_PAUSE * agents : m->hasten_pause * 2;
    if (m->hasten_pause > MOST_HASTEN_PAUSE * agents) m->hasten_pause = MOST_HASTEN_PAUSE * agents;
    m->hasten_was = m->searches;
    m->hasten_cost = m->improve.soc - saved;
    m->hasten_at = m->searches + m->hasten_pause;
    if (saved == 0) return true;
    touch(m, m->hasten.changed, m->hasten.count);
    m->improve.soc -= saved;
    if (!dl_planner_adopt_all(p, m->hasten.changed, m->hasten.count)) return false;
    return m->improve.soc >= m->best.soc || dl_snapshot_take(&m->best, m->planner, m->improve.soc);
}

static bool end_opening(dl_iterated *m)
{
    m->phase = DL_RESTING;
    m->lessons.opening_cost = m->best.soc;
    m->lessons.opening_searches = m->searches;
    return dl_snapshot_take(&m->base, m->planner, m->improve.soc);
}

/* One iteration of whatever goes on; false when memory is out. */
static bool step(dl_iterated *m, const dl_deadline *deadline)
{
    m->iterations++;
    if (m->phase == DL_RESTING && !begin_round(m, deadline)) return false;
    if (m->phase == DL_RESTING) return true; /* it is over already */
    if (m->phase == DL_REPAIRING) return repair_step(m, deadline);
    if (m->phase == DL_STARTING) return start_step(m, deadline);
    if (!improve_step(m, deadline)) return false;
    if (m->searches >= m->hasten_at && !hasten(m, deadline)) return false;
    if (m->searches < m->pause) return true;
    if (!is_worth_it(m)) return m->phase == DL_OPENING ? end_opening(m) : end_round(m, true);
    go_on(m);
    return true;
}

void dl_iterated_run(dl_iterated *m, uint64_t iterations, const dl_deadline *deadline)
{
    int64_t bound = 0;
    for (int agent = 0; agent < m->planner->instance->agents; agent++) bound += m->improve.destroy.shortest[agent];
    for (uint64_t i = 0; i < iterations && m->best.soc > bound; i++) {
        if (m->planner->exhausted || dl_deadline_passed(deadline)) return;
        if (m->phase == DL_STRANDED) return;
        if (!step(m, deadline)) m->planner->exhausted = true;
    }
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
        if (!dl_track_copy(&p->track[agent], &track[agent]) || !dl_planner_insert(p, agent)) return false;
    }
    m->improve.soc = soc;
    m->repair.options.lateness = m->options.repair.lateness;
    bool is_over = m->lessons.opening_cost > 0; /* the opening */
    m->phase = is_over ? DL_RESTING : DL_OPENING;
    if (!is_over) go_on(m);
    return dl_snapshot_take(&m->best, p, soc) && dl_snapshot_take(&m->base, p, soc);
}

static bool begin_with_traffic(dl_iterated *m, const dl_deadline *deadline)
{
    dl_planner *p = m->planner;
    dl_kick *k = &m->kick;
    dl_traffic_paths(p, &m->rng, deadline);
    bool complete = true;
    for (k->count = 0; k->count < p->instance->agents; k->count++) {
        complete = complete && p->track[k->count].cost != DL_NO_TRACK;
        k->agent[k->count] = k->count;
    }
    touch(m, k->agent, k->count);
    if (!complete) return !p->exhausted;
    m->phase = DL_STARTING;
    m->repair.options.lateness = DL_LATENESS_ALWAYS_KEPT;
    dl_destroy_restart(&m->repair.destroy);
    if (!dl_repair_resume(&m->repair, k->agent, k->count)) return false;
    return m->repair.conflicts.pairs > 0 || end_start(m, m->repair.soc);
}

static bool begin_with_lacam(dl_iterated *m, const dl_deadline *deadline)
{
    dl_planner *p = m->planner;
    if ((int64_t)p->instance->agents * p->instance->grid->cells > MOST_WINDOW_FIELDS) return true;
    dl_lacam_options options = dl_lacam_varied(dl_rng_u64(&m->rng), m->lacams++, START_STEPS);
    dl_lacam_result found;
    dl_status status = dl_lacam_solve(p->instance, p->distance, &options, *deadline, &found, NULL);
    m->searches += EXPANSION_SEARCHES * found.expansions * (uint64_t)options.search.samples;
    bool fits = found.plan && dl_plan_makespan(found.plan) <= p->last_time;
    bool done = fits ? read_plan(m, found.plan) && end_start(m, m->improve.soc) : status != DIFFLNS_OUT_OF_MEMORY;
    if (fits) hasten_soon(m);
    dl_lacam_result_release(&found);
    return done;
}

bool dl_iterated_restart(dl_iterated *m, dl_fresh_start start, const dl_deadline *deadline)
{
    m->phase = DL_STRANDED;
    m->lessons = (dl_lessons){0};
    return start == DL_FRESH_LACAM ? begin_with_lacam(m, deadline) : begin_with_traffic(m, deadline);
}

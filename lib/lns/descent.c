#include "lns/descent.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/ablation.h"

/* The share of the waits that a kick moves. */
static const double MOVED = 0.6;
/* Kicks of regions are about so many steps at least: in tight plans a wait moved farther off makes more collisions than
 * repair can take away. */
static const double LEAST_SPAN = 4;
/* The opening, before the first kick, is over when so many searches an agent bring less than this share. */
static const uint64_t OPENING_SEARCHES = 100;
static const double OPENING_GAIN = 0.02;
/* Searches for each agent touched between two looks at whether a round is worth going on with. */
static const uint64_t PAUSE_SEARCHES = 60;
/* A round that is still above the record goes on if the pace of its last part would reach it in so many more. */
static const double REACH = 3;
/* Iterations that mending a kick may take: the tighter the plan, the more agents besides those kicked have to make
 * room. */
static const uint64_t MENDING_ITERATIONS = 80, LEAST_MENDING = 2000;
/* After the first few for each agent kicked, so many pairs an agent still colliding mean that it will not come to an
 * end: where repair succeeds there are a third of that, on boards that are too full twice as many and more. */
static const uint64_t FIRST_ITERATIONS = 4;
static const double HOPELESS_PAIRS = 0.5;
/* The steps of all paths that a kick may take: more would take too long between two looks at the clock. */
enum { MOST_KICKED_STEPS = 1 << 20 };
/* Searches for each agent from one try to hasten the plan to the next: few while it gains more than searches do for the
 * time it takes, more while it does not. A try takes as long as a search for so many positions of the plan. */
static const uint64_t LEAST_HASTEN_PAUSE = 2, MOST_HASTEN_PAUSE = 256;
static const int64_t HASTEN_POSITIONS = 128;
/* After the opening, a group that finds no way is tried in so many other orders: a plan that has stalled drifts until
 * something gives way, and so it drifts faster. While plans still fall, other groups find more. */
enum { OTHER_ORDERS = 4 };
/* Searches for each agent at the first level's age: there the order of descents begins to tell where they will end. */
static const uint64_t FIRST_AGE = 300;

static void leave_out_ablated(dl_descent_options *options)
{
    if (dl_is_without(DL_TECHNIQUE_kicks)) options->kinds &= 1 << DL_ROUND_ON;
}

bool dl_descent_begin(dl_descent *d, dl_planner *planner, const dl_descent_options *options)
{
    *d = (dl_descent){.planner = planner, .options = *options, .stage = DL_STARTING, .pairs = -1, .soc = -1};
    leave_out_ablated(&d->options);
    return dl_repair_begin(&d->repair, planner, &options->repair);
}

void dl_descent_end(dl_descent *d)
{
    dl_repair_end(&d->repair);
    dl_improve_end(&d->improve);
    dl_kick_end(&d->kick);
    dl_hasten_end(&d->hasten);
    dl_snapshot_end(&d->best);
    dl_snapshot_end(&d->base);
}

static int agents_of(const dl_descent *d)
{
    return d->planner->instance->agents;
}

static void descent_touch(dl_descent *d, const int32_t *agent, int count)
{
    dl_snapshot_touch_all(&d->best, agent, count);
    dl_snapshot_touch_all(&d->base, agent, count);
}

/* ---- before there is a plan ---- */

static void descent_start(dl_descent *d, const dl_deadline *deadline)
{
    const dl_source *source = &d->options.source;
    bool started = source->make(source->user, d->planner, &d->searches, deadline) &&
                   dl_repair_start(&d->repair, d->options.seed, d->options.stream, deadline);
    d->stage = !started ? DL_OVER : d->repair.conflicts.pairs > 0 ? DL_REPAIRING : DL_LOWERING;
    d->born = d->searches;
}

static void repair_start_step(dl_descent *d, const dl_deadline *deadline)
{
    uint64_t before = d->repair.searches;
    assert(d->repair.conflicts.pairs > 0);
    d->iterations++;
    dl_repair_step(&d->repair, deadline);
    d->searches += d->repair.searches - before;
    d->born = d->searches; /* repair takes now more, now less: age begins after it */
    if (d->repair.conflicts.pairs == 0) d->stage = DL_LOWERING;
}

/* ---- rounds ---- */

/* Searches between two looks at how it goes. */
static uint64_t stretch_of(const dl_descent *d)
{
    if (d->phase == DL_OPENING || d->kind == DL_ROUND_ON) return OPENING_SEARCHES * (uint64_t)agents_of(d);
    return PAUSE_SEARCHES * (uint64_t)(d->base.count + 1);
}

static void stretch_begin(dl_descent *d)
{
    d->stretch = stretch_of(d);
    d->pause = d->searches + d->stretch;
    d->cost_was = d->improve.soc;
}

static void polish_begin(dl_descent *d, int64_t soc)
{
    d->improve.soc = soc;
    d->phase = DL_POLISHING;
    stretch_begin(d);
}

/* From the least to the whole plan, short ones more often: where boards are tight, only those can be repaired. */
static int draw_span(dl_descent *d)
{
    double most = d->planner->makespan;
    if (most <= LEAST_SPAN || dl_is_without(DL_TECHNIQUE_spans)) return 0;
    return (int)(LEAST_SPAN * pow(most / LEAST_SPAN, dl_rng_unit(&d->rng)));
}

static bool kick_begin(dl_descent *d)
{
    int agents = agents_of(d);
    double size = ceil(dl_round_share(d->kind) * agents);
    double most = 1 + (double)MOST_KICKED_STEPS * agents / (double)d->base.soc;
    dl_kick_choose(&d->kick, (int)(size < most ? size : most), draw_span(d), d->improve.destroy.shortest);
    dl_kick_move_waits(&d->kick, MOVED);
    descent_touch(d, d->kick.agent, d->kick.count);
    d->phase = DL_MENDING;
    if (!dl_repair_resume(&d->repair, d->kick.agent, d->kick.count)) return false;
    if (d->repair.conflicts.pairs == 0) polish_begin(d, d->repair.soc);
    return true;
}

static bool round_begin(dl_descent *d)
{
    assert(d->phase == DL_RESTING && d->improve.soc == d->base.soc && d->base.soc == d->best.soc);
    d->rounds++;
    d->kind = dl_rounds_draw(&d->known, d->options.kinds, d->searches - d->opening_searches, &d->rng);
    d->record = d->best.soc;
    d->began = d->searches;
    if (dl_round_share(d->kind) > 0) return kick_begin(d);
    polish_begin(d, d->improve.soc);
    return true;
}

static bool descent_audit(dl_descent *d)
{
    int64_t soc = 0;
    for (int agent = 0; agent < agents_of(d); agent++) soc += d->best.track[agent].cost;
    return soc == d->best.soc && d->improve.soc == d->base.soc && d->best.soc <= d->base.soc &&
           d->planner->ops->audit(d->planner);
}

/* Keeps the round or takes it back, and learns from it. False when memory is out, here and below. */
static bool round_end(dl_descent *d, bool valid)
{
    assert(d->best.soc <= d->record);
    dl_rounds_learn(&d->known, d->kind, d->record - d->best.soc, d->searches - d->began);
    d->phase = DL_RESTING;
    if (valid && d->improve.soc <= d->best.soc) {
        d->kept++;
        if (!dl_snapshot_take(&d->base, d->planner, d->improve.soc)) return false;
    } else {
        if (!dl_snapshot_go_back(&d->base, d->planner)) return false;
        d->improve.soc = d->base.soc;
    }
    if (d->options.audit && !descent_audit(d)) abort();
    return true;
}

/* Is what goes on worth going on with? */
static bool is_worth_it(const dl_descent *d)
{
    double drop = (double)(d->cost_was - d->improve.soc), gap = (double)(d->improve.soc - d->record);
    if (d->phase == DL_OPENING) return d->options.kinds == 0 || drop >= OPENING_GAIN * (double)d->cost_was;
    if (gap > 0) return drop * REACH >= gap;
    /* Below the record: as long as it gains more than a search has gained on average since the opening. */
    double average = (double)(d->opening_cost - d->best.soc) / (double)(d->searches - d->opening_searches + 1);
    return drop > average * (double)d->stretch;
}

/* ---- steps of lowering ---- */

static bool mending_is_hopeless(const dl_descent *d)
{
    const dl_repair *r = &d->repair;
    uint64_t kicked = (uint64_t)d->kick.count, most = MENDING_ITERATIONS * kicked;
    if (r->iterations == FIRST_ITERATIONS * kicked) return (double)r->conflicts.pairs > HOPELESS_PAIRS * (double)kicked;
    return r->iterations >= (most > LEAST_MENDING ? most : LEAST_MENDING);
}

static bool mend_step(dl_descent *d, const dl_deadline *deadline)
{
    dl_repair *r = &d->repair;
    assert(r->conflicts.pairs > 0);
    uint64_t before = r->searches;
    if (dl_repair_step(r, deadline)) descent_touch(d, r->destroy.chosen, r->destroy.count);
    d->searches += r->searches - before;
    if (r->conflicts.pairs > 0) return !mending_is_hopeless(d) || round_end(d, false);
    polish_begin(d, r->soc);
    return true;
}

static bool take_if_best(dl_descent *d)
{
    return d->improve.soc >= d->best.soc || dl_snapshot_take(&d->best, d->planner, d->improve.soc);
}

static bool lower_step(dl_descent *d, const dl_deadline *deadline)
{
    dl_improve *improve = &d->improve;
    assert(d->phase == DL_OPENING || d->phase == DL_POLISHING);
    uint64_t before = improve->searches;
    double share = dl_round_share(d->kind);
    bool of_a_region = share > 0 && share < 1, kept;
    improve->other_orders = d->phase == DL_POLISHING ? OTHER_ORDERS : 0;
    if (d->phase == DL_POLISHING && of_a_region && d->base.count > 0)
        kept = dl_improve_step_near(improve, d->base.touched[dl_rng_below(&d->rng, (uint32_t)d->base.count)], deadline);
    else
        kept = dl_improve_step(improve, deadline);
    d->searches += improve->searches - before;
    if (kept) descent_touch(d, improve->destroy.chosen, improve->destroy.count);
    return take_if_best(d);
}

/* Tries to hasten the plan. */
static bool hasten_step(dl_descent *d, const dl_deadline *deadline)
{
    uint64_t agents = (uint64_t)agents_of(d);
    dl_planner *p = d->planner;
    int64_t saved = dl_hasten_find(&d->hasten, p->track, p->makespan, p->spare, deadline);
    int64_t effort = 1 + d->improve.soc / HASTEN_POSITIONS;
    if (saved < 0) return false;
    /* What as many searches gained since the last try; less than nothing if there was a kick. */
    double searched = (double)(d->hasten_cost - d->improve.soc) / (double)(d->searches - d->hasten_was + 1);
    bool pays = saved > 0 && (double)saved >= searched * (double)effort;
    d->searches += (uint64_t)effort;
    dl_sizes_share_gain(&d->improve.sizes, saved);
    d->hasten_pause = pays ? LEAST_HASTEN_PAUSE * agents : d->hasten_pause * 2;
    if (d->hasten_pause > MOST_HASTEN_PAUSE * agents) d->hasten_pause = MOST_HASTEN_PAUSE * agents;
    d->hasten_was = d->searches;
    d->hasten_cost = d->improve.soc - saved;
    d->hasten_at = d->searches + d->hasten_pause;
    if (saved == 0) return true;
    descent_touch(d, d->hasten.changed, d->hasten.count);
    d->improve.soc -= saved;
    return dl_planner_adopt_all(p, d->hasten.changed, d->hasten.count) && take_if_best(d);
}

static bool opening_end(dl_descent *d)
{
    d->phase = DL_RESTING;
    d->opening_cost = d->best.soc;
    assert(d->best.soc <= d->improve.soc);
    d->opening_searches = d->searches;
    return dl_snapshot_take(&d->base, d->planner, d->improve.soc);
}

static void note_age(dl_descent *d)
{
    if (d->levels == DL_AGE_LEVELS) return;
    if (dl_descent_age(d) < FIRST_AGE * (uint64_t)agents_of(d) << d->levels) return;
    assert(d->levels == 0 || d->best.soc <= d->cost_at[d->levels - 1]);
    d->cost_at[d->levels++] = d->best.soc;
}

/* One iteration of whatever goes on. */
static bool lowering_step(dl_descent *d, const dl_deadline *deadline)
{
    d->iterations++;
    if (d->phase == DL_RESTING && !round_begin(d)) return false;
    if (d->phase == DL_MENDING) return mend_step(d, deadline);
    if (!lower_step(d, deadline)) return false;
    if (d->searches >= d->hasten_at && !hasten_step(d, deadline)) return false;
    if (d->searches < d->pause) return true;
    if (!is_worth_it(d)) return d->phase == DL_OPENING ? opening_end(d) : round_end(d, true);
    stretch_begin(d);
    return true;
}

/* ---- lowering ---- */

static bool lowering_reserve(dl_descent *d)
{
    int agents = agents_of(d);
    bool fits = dl_improve_begin(&d->improve, d->planner, &d->options.improve);
    fits = dl_kick_begin(&d->kick, d->planner, &d->rng) && fits;
    fits = dl_hasten_begin(&d->hasten, d->planner->instance) && fits;
    fits = dl_snapshot_begin(&d->best, agents) && fits;
    return dl_snapshot_begin(&d->base, agents) && fits;
}

/* From the planner's table, which must hold every agent and no collision. */
static bool lowering_begin(dl_descent *d)
{
    uint64_t seed = d->options.seed, stream = d->options.stream;
    if (!lowering_reserve(d)) return false;
    d->rng = dl_rng_stream(seed, DL_PURPOSE('i', 't', 'e', 'r'), stream);
    d->repair.rng = dl_rng_stream(seed, DL_PURPOSE('i', 't', 'r', 'e'), stream);
    d->repair.options = DL_REPAIR_DEFAULTS; /* kicks are mended tightly, however the start was repaired */
    d->repair.options.audit = d->options.repair.audit;
    dl_destroy_restart(&d->repair.destroy);
    dl_improve_start(&d->improve, seed, stream);
    for (int agent = 0; agent < agents_of(d); agent++) {
        assert(d->planner->in_table[agent]);
        descent_touch(d, &agent, 1);
        d->least += d->improve.destroy.shortest[agent];
    }
    d->hasten_at = d->hasten_was = d->searches;
    d->hasten_pause = LEAST_HASTEN_PAUSE * (uint64_t)agents_of(d);
    d->hasten_cost = d->improve.soc;
    /* It would leave out waits and loops of errands. */
    if (d->planner->instance->errand || dl_is_without(DL_TECHNIQUE_hasten)) d->hasten_at = UINT64_MAX;
    d->phase = DL_OPENING;
    stretch_begin(d);
    d->lowers = dl_snapshot_take(&d->best, d->planner, d->improve.soc) &&
                dl_snapshot_take(&d->base, d->planner, d->improve.soc);
    return d->lowers;
}

static void lowering_run(dl_descent *d, uint64_t end, const dl_deadline *deadline)
{
    if (!d->lowers && (d->planner->exhausted || !lowering_begin(d))) d->planner->exhausted = true;
    while (d->iterations < end && !d->planner->exhausted && d->best.soc > d->least && !dl_deadline_passed(deadline)) {
        if (!lowering_step(d, deadline)) d->planner->exhausted = true;
        note_age(d);
    }
    assert(!d->lowers || d->best.soc >= d->least);
    if (d->lowers && d->best.soc <= d->least) d->stage = DL_OVER;
}

/* For assertions: while it is repaired or its cost lowered the table holds everybody, the cost is their sum, and nobody
 * collides but those that the conflict graph knows. */
static bool descent_is_sound(const dl_descent *d)
{
    int64_t soc = 0;
    const dl_repair *r = &d->repair;
    bool is_repair = d->stage == DL_REPAIRING || (d->lowers && d->phase == DL_MENDING);
    if (d->stage == DL_STARTING || (d->stage == DL_OVER && !d->lowers)) return true;
    for (int agent = 0; agent < agents_of(d); agent++) {
        if (!d->planner->in_table[agent]) return false;
        soc += d->planner->track[agent].cost;
    }
    if (is_repair) return soc == r->soc && r->conflicts.pairs > 0;
    return soc == (d->lowers ? d->improve.soc : r->soc);
}

void dl_descent_run(dl_descent *d, uint64_t iterations, const dl_deadline *deadline)
{
    dl_stage before = d->stage;
    uint64_t most = UINT64_MAX - d->iterations, end = d->iterations + (iterations < most ? iterations : most);
    if (before == DL_STARTING) descent_start(d, deadline);
    if (before == DL_LOWERING && iterations > 0) lowering_run(d, end, deadline);
    while (before == DL_REPAIRING && d->stage == before && d->iterations < end && !d->planner->exhausted &&
           !dl_deadline_passed(deadline))
        repair_start_step(d, deadline);
    if (d->planner->exhausted) d->stage = DL_OVER;
    if (d->lowers) {
        assert(d->soc < 0 || d->best.soc <= d->soc);
        d->pairs = 0;
        d->soc = d->best.soc;
    } else if (d->stage != DL_OVER || before == DL_REPAIRING) {
        d->pairs = d->repair.conflicts.pairs;
        d->soc = d->repair.soc;
    }
    assert(d->stage >= before && (d->stage != DL_LOWERING || d->pairs == 0));
    assert(d->planner->exhausted || descent_is_sound(d));
}

/* ---- another descent's plan ---- */

/* Makes the planner's table that of these tracks. False if there was no time or memory for all of it. */
static bool table_take(dl_descent *d, const dl_track *track, const dl_deadline *deadline)
{
    dl_planner *p = d->planner;
    for (int32_t agent = 0; agent < agents_of(d); agent++) {
        assert(track[agent].cost >= 0);
        if (p->in_table[agent] && dl_track_equal(&p->track[agent], &track[agent])) continue;
        if (dl_deadline_passed(deadline)) return false;
        if (d->lowers) descent_touch(d, &agent, 1);
        if (p->in_table[agent]) dl_planner_remove(p, agent);
        if (!dl_track_copy(&p->track[agent], &track[agent]) || !dl_planner_insert(p, agent)) return false;
    }
    return true;
}

bool dl_descent_adopt(dl_descent *d, const dl_track *track, int64_t soc, const dl_deadline *deadline)
{
    bool taken = table_take(d, track, deadline), lowered = d->lowers;
    if (taken && !lowered) taken = lowering_begin(d);
    if (taken && lowered) {
        d->improve.soc = soc;
        d->phase = d->opening_cost > 0 ? DL_RESTING : DL_OPENING;
        if (d->phase == DL_OPENING) stretch_begin(d);
        taken = dl_snapshot_take(&d->best, d->planner, soc) && dl_snapshot_take(&d->base, d->planner, soc);
    }
    if (d->stage < DL_LOWERING) d->stage = DL_LOWERING;
    if (!taken) d->stage = DL_OVER;
    if (d->lowers) {
        assert(!taken || (d->improve.soc == soc && d->best.soc == soc));
        d->pairs = 0;
        d->soc = d->best.soc;
    }
    return taken;
}

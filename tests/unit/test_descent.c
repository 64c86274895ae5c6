#include "support_repaired.h"

#include "lns/descent.h"

/* ---- snapshots ---- */

static void a_snapshot_is_gone_back_to_track_by_track(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        repaired w;
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 1);
        dl_instance *instance = test_random_instance(&rng, 8, 8, 0.15, 12);
        if (!instance) continue;
        bool solved = repaired_open(&w, instance, DL_ENGINE_AUTO, seed);
        dl_snapshot before, same;
        assert_true(dl_snapshot_begin(&before, 12) && dl_snapshot_begin(&same, 12));
        for (int agent = 0; solved && agent < 12; agent++) {
            dl_snapshot_touch(&before, agent);
            dl_snapshot_touch(&same, agent);
        }
        assert_true(dl_snapshot_take(&before, w.planner, w.soc) && dl_snapshot_take(&same, w.planner, w.soc));
        for (int i = 0; solved && i < 5; i++) { /* some agents wander, colliding with whom they like */
            int agent = (int)dl_rng_below(&rng, 12);
            dl_request request = DL_SOFT_REQUEST;
            request.rule = DL_UNIFORM;
            request.earliest = w.planner->track[agent].cost + (int)dl_rng_below(&rng, 9);
            dl_planner_remove(w.planner, agent);
            if (dl_planner_plan(w.planner, agent, &request) >= 0) dl_planner_exchange(w.planner, agent);
            assert_true(dl_planner_insert(w.planner, agent));
            dl_snapshot_touch(&before, agent);
        }
        assert_true(dl_snapshot_go_back(&before, w.planner));
        assert_int_equal(before.count, 0);
        assert_true(w.planner->ops->audit(w.planner));
        for (int agent = 0; solved && agent < 12; agent++)
            assert_true(w.planner->in_table[agent] && dl_track_equal(&w.planner->track[agent], &same.track[agent]));
        dl_snapshot_end(&before);
        dl_snapshot_end(&same);
        repaired_close(&w);
    }
}

/* ---- kicks ---- */

/* The cells of a way without its waits. */
static int route(const dl_track *track, dl_cell *cells)
{
    int count = 0;
    for (int t = 0; t <= track->cost; t++)
        if (count == 0 || cells[count - 1] != track->at[t]) cells[count++] = track->at[t];
    return count;
}

static void kicks_keep_routes_and_costs(void **state)
{
    (void)state;
    enum { AGENTS = 60, ROOM = 4096 };
    repaired w;
    assert_true(repaired_open(&w, test_preset_instance("medium-room", AGENTS, 7), DL_ENGINE_AUTO, 7));
    static dl_cell before[AGENTS][ROOM], after[ROOM];
    static int cost[AGENTS], length[AGENTS];
    int32_t shortest[AGENTS] = {0};
    dl_rng rng = dl_rng_stream(7, DL_PURPOSE('t', 'e', 's', 't'), 2);
    dl_kick kick;
    assert_true(dl_kick_begin(&kick, w.planner, &rng));
    for (int size = 1; size <= AGENTS + 1; size += 12) {
        for (int agent = 0; agent < AGENTS; agent++) {
            length[agent] = route(&w.planner->track[agent], before[agent]);
            cost[agent] = w.planner->track[agent].cost;
        }
        dl_kick_choose(&kick, size, size % 24, shortest);
        assert_in_range(kick.count, 1, size < AGENTS ? size : AGENTS);
        dl_kick_move_waits(&kick, 0.5);
        int out = 0;
        for (int agent = 0; agent < AGENTS; agent++) {
            out += !w.planner->in_table[agent];
            assert_int_equal(w.planner->track[agent].cost, cost[agent]);
            assert_int_equal(route(&w.planner->track[agent], after), length[agent]);
            assert_memory_equal(after, before[agent], sizeof *after * (size_t)length[agent]);
        }
        assert_int_equal(out, kick.count);
        for (int i = 0; i < kick.count; i++) assert_true(dl_planner_insert(w.planner, kick.agent[i]));
        assert_true(w.planner->ops->audit(w.planner));
    }
    dl_kick_end(&kick);
    repaired_close(&w);
}

static void a_kick_of_a_span_leaves_the_plan_before_and_after_it(void **state)
{
    (void)state;
    enum { AGENTS = 80, SPAN = 9, ROOM = 4096 };
    repaired w;
    assert_true(repaired_open(&w, test_preset_instance("medium-room", AGENTS, 5), DL_ENGINE_AUTO, 5));
    static dl_cell before[AGENTS][ROOM];
    int32_t shortest[AGENTS] = {0};
    dl_rng rng = dl_rng_stream(5, DL_PURPOSE('t', 'e', 's', 't'), 5);
    dl_kick kick;
    assert_true(dl_kick_begin(&kick, w.planner, &rng));
    int changed = 0;
    for (int round = 0; round < 200; round++) {
        for (int agent = 0; agent < AGENTS; agent++) {
            assert_true(w.planner->track[agent].cost < ROOM);
            memcpy(before[agent], w.planner->track[agent].at,
                   sizeof(dl_cell) * ((size_t)w.planner->track[agent].cost + 1));
        }
        dl_kick_choose(&kick, 20, SPAN, shortest);
        assert_int_equal(kick.to - kick.from, SPAN);
        dl_kick_move_waits(&kick, 0.6);
        for (int i = 0; i < kick.count; i++) {
            const dl_track *track = &w.planner->track[kick.agent[i]];
            for (int t = 0; t <= track->cost; t++) {
                bool same = track->at[t] == before[kick.agent[i]][t];
                assert_true(same || (t > kick.from && t < kick.to));
                changed += !same;
            }
        }
        for (int i = 0; i < kick.count; i++) assert_true(dl_planner_insert(w.planner, kick.agent[i]));
    }
    assert_true(changed > 0); /* or the kicks were none */
    dl_kick_end(&kick);
    repaired_close(&w);
}

static void a_kicked_plan_is_repaired_from_where_it_is(void **state)
{
    (void)state;
    repaired w;
    assert_true(repaired_open(&w, test_preset_instance("medium-room", 80, 3), DL_ENGINE_AUTO, 3));
    int32_t shortest[80] = {0};
    dl_rng rng = dl_rng_stream(3, DL_PURPOSE('t', 'e', 's', 't'), 3);
    dl_repair_options options = DL_REPAIR_DEFAULTS;
    dl_repair repair;
    dl_kick kick;
    assert_true(dl_repair_begin(&repair, w.planner, &options));
    repair.rng = dl_rng_stream(3, DL_PURPOSE('t', 'e', 's', 't'), 4);
    assert_true(dl_kick_begin(&kick, w.planner, &rng));
    int64_t made = 0;
    for (int round = 0; round < 30; round++) {
        dl_kick_choose(&kick, 10, 0, shortest);
        dl_kick_move_waits(&kick, 0.5);
        assert_true(dl_repair_resume(&repair, kick.agent, kick.count));
        assert_true(dl_repair_audit(&repair));
        made += repair.conflicts.pairs;
        assert_true(dl_repair_run(&repair, 10000, &w.deadline));
        assert_true(dl_repair_audit(&repair));
        repaired_expect_valid(&w, w.planner->track, repair.soc);
    }
    assert_true(made > 0); /* or the kicks were none */
    dl_kick_end(&kick);
    dl_repair_end(&repair);
    repaired_close(&w);
}

/* ---- the whole ---- */

/* A descent that goes on from the plan in the world's planner. */
static void begin_lowering(dl_descent *d, repaired *w, dl_descent_options *options, uint64_t seed, uint64_t stream)
{
    options->seed = seed;
    options->stream = stream;
    assert_true(dl_descent_begin(d, w->planner, options));
    assert_true(dl_descent_adopt(d, w->planner->track, w->soc, &w->deadline));
    assert_int_equal(d->stage, DL_LOWERING);
}

static dl_descent_options audited(void)
{
    dl_descent_options options = DL_DESCENT_DEFAULTS;
    options.audit = options.improve.audit = options.repair.audit = true;
    return options;
}

/* Every part recounts everything after each step; here the best plan is looked at from outside. */
static void the_best_plan_is_valid_at_any_time_and_never_dearer(void **state)
{
    (void)state;
    uint64_t rounds = 0, kept = 0, worlds = 0;
    for (uint64_t seed = 0; seed < 24; seed++) {
        repaired w;
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('t', 'e', 's', 't'), 5);
        dl_instance *instance = test_random_instance(&rng, 7, 7, 0.15, 6 + (int)(seed % 4) * 4);
        if (!instance) continue;
        if (repaired_open(&w, instance, seed % 2 ? DL_ENGINE_SIPPS : DL_ENGINE_BOARDS, seed)) {
            dl_descent_options options = audited();
            if (seed % 7 == 1) options.kinds = 0;
            dl_descent m;
            begin_lowering(&m, &w, &options, seed, 0);
            for (int64_t before = w.soc; m.iterations < 3000;) {
                uint64_t done = m.iterations;
                dl_descent_run(&m, 97, &w.deadline);
                if (m.best.soc > before) fail_msg("seed %d: costs more than before", (int)seed);
                repaired_expect_valid(&w, m.best.track, m.best.soc);
                before = m.best.soc;
                if (m.iterations == done) break; /* optimal */
            }
            assert_true(dl_descent_adopt(&m, m.best.track, m.best.soc, &w.deadline));
            repaired_expect_valid(&w, w.planner->track, m.best.soc);
            assert_true(w.planner->ops->audit(w.planner));
            rounds += m.rounds;
            kept += m.kept;
            worlds++;
            dl_descent_end(&m);
        }
        repaired_close(&w);
    }
    assert_true(worlds > 8 && rounds > 50 && kept > 0 && kept < rounds);
}

/* The same with plans tight enough that kicks are often given up. */
static void rounds_given_up_leave_no_trace(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        repaired w;
        if (repaired_open(&w, test_preset_instance("small-random", 50, seed), DL_ENGINE_AUTO, seed)) {
            dl_descent_options options = DL_DESCENT_DEFAULTS;
            options.audit = true; /* recounts at the end of rounds only: most of them are needed here */
            dl_descent m;
            begin_lowering(&m, &w, &options, seed, 0);
            dl_descent_run(&m, 60000, &w.deadline);
            assert_true(m.rounds > m.kept);
            assert_true(m.best.soc < w.soc);
            repaired_expect_valid(&w, m.best.track, m.best.soc);
            dl_descent_end(&m);
        }
        repaired_close(&w);
    }
}

static int64_t cost_after(uint64_t iterations, uint64_t burst, uint64_t index, uint64_t *searches)
{
    repaired w;
    assert_true(repaired_open(&w, test_preset_instance("medium-maze", 90, 5), DL_ENGINE_AUTO, 5));
    dl_descent_options options = DL_DESCENT_DEFAULTS;
    dl_descent m;
    begin_lowering(&m, &w, &options, 11, index);
    while (m.iterations < iterations) dl_descent_run(&m, burst, &w.deadline);
    int64_t soc = m.best.soc;
    *searches = m.searches;
    dl_descent_end(&m);
    repaired_close(&w);
    return soc;
}

static void the_same_seed_gives_the_same_plan_however_the_run_is_cut(void **state)
{
    (void)state;
    uint64_t searches[4];
    int64_t soc = cost_after(12000, 12000, 0, &searches[0]);
    assert_int_equal(cost_after(12000, 12000, 0, &searches[1]), soc);
    assert_int_equal(cost_after(12000, 1, 0, &searches[2]), soc);
    cost_after(12000, 12000, 1, &searches[3]);
    assert_true(searches[0] == searches[1] && searches[0] == searches[2]);
    assert_true(searches[0] != searches[3]); /* another stream makes other choices */
}

static void kicks_lead_lower_than_improvement_alone(void **state)
{
    (void)state;
    int64_t sum[2] = {0};
    for (uint64_t seed = 0; seed < 4; seed++)
        for (int kicks = 0; kicks < 2; kicks++) {
            repaired w;
            assert_true(repaired_open(&w, test_preset_instance("medium-maze", 150, seed), DL_ENGINE_AUTO, seed));
            dl_descent_options options = DL_DESCENT_DEFAULTS;
            if (!kicks) options.kinds = 0;
            dl_descent m;
            begin_lowering(&m, &w, &options, seed, 0);
            while (m.searches < 120000) dl_descent_run(&m, 10, &w.deadline);
            sum[kicks] += m.best.soc;
            dl_descent_end(&m);
            repaired_close(&w);
        }
    assert_true(sum[1] < sum[0]);
}

static void a_plan_of_the_least_cost_ends_the_run(void **state)
{
    (void)state;
    repaired w;
    assert_true(repaired_open(&w, test_instance(".../...", 2, (const int[][4]){{0, 0, 0, 2}, {1, 2, 1, 0}}),
                              DL_ENGINE_AUTO, 1));
    dl_descent_options options = audited();
    dl_descent m;
    begin_lowering(&m, &w, &options, 1, 0);
    dl_descent_run(&m, UINT64_MAX, &w.deadline);
    assert_int_equal(m.best.soc, 4);
    dl_descent_end(&m);
    repaired_close(&w);
}

static void a_passed_deadline_changes_nothing(void **state)
{
    (void)state;
    repaired w;
    assert_true(repaired_open(&w, test_preset_instance("medium-maze", 90, 5), DL_ENGINE_AUTO, 5));
    dl_descent_options options = DL_DESCENT_DEFAULTS;
    dl_descent m;
    dl_deadline over = dl_deadline_after(-1, NULL);
    begin_lowering(&m, &w, &options, 1, 0);
    dl_descent_run(&m, UINT64_MAX, &over);
    assert_int_equal(m.iterations, 0);
    repaired_expect_valid(&w, m.best.track, w.soc);
    dl_descent_end(&m);
    repaired_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_snapshot_is_gone_back_to_track_by_track),
        cmocka_unit_test(kicks_keep_routes_and_costs),
        cmocka_unit_test(a_kick_of_a_span_leaves_the_plan_before_and_after_it),
        cmocka_unit_test(a_kicked_plan_is_repaired_from_where_it_is),
        cmocka_unit_test(the_best_plan_is_valid_at_any_time_and_never_dearer),
        cmocka_unit_test(rounds_given_up_leave_no_trace),
        cmocka_unit_test(the_same_seed_gives_the_same_plan_however_the_run_is_cut),
        cmocka_unit_test(kicks_lead_lower_than_improvement_alone),
        cmocka_unit_test(a_plan_of_the_least_cost_ends_the_run),
        cmocka_unit_test(a_passed_deadline_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

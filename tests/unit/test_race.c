#include "support_repaired.h"

#include "lns/race.h"
#include "support_plans.h"

enum { AGENTS = 40, ITERATIONS = 120000 }; /* plenty for challenges on boards of 10x10 */

static void open_world(repaired *w, uint64_t seed)
{
    assert_true(repaired_open(w, test_preset_instance("small-random", AGENTS, seed), DL_ENGINE_AUTO, seed));
}

static void the_best_plan_is_valid_at_any_time_and_never_dearer(void **state)
{
    (void)state;
    uint64_t challenges = 0, won = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        repaired w;
        open_world(&w, seed);
        dl_iterated_options options = DL_ITERATED_DEFAULTS;
        options.audit = true;
        dl_race r;
        assert_true(dl_race_begin(&r, w.planner, &options, DL_CHALLENGES_STALLED) && dl_race_start(&r, seed, 0));
        for (int64_t before = w.soc; r.iterated.iterations < ITERATIONS;) {
            uint64_t done = r.iterated.iterations;
            dl_race_run(&r, 997, &w.deadline);
            if (dl_race_best(&r)->soc > before) fail_msg("seed %d: costs more than before", (int)seed);
            repaired_expect_valid(&w, dl_race_best(&r)->track, dl_race_best(&r)->soc);
            before = dl_race_best(&r)->soc;
            if (r.iterated.iterations == done) break; /* optimal */
        }
        challenges += r.challenges;
        won += r.won;
        dl_race_end(&r);
        repaired_close(&w);
    }
    print_message("%d challenges, %d won\n", (int)challenges, (int)won);
    assert_true(challenges > 3 && won > 0 && won < challenges);
}

typedef struct outcome {
    int64_t soc;
    uint64_t searches, challenges, challenged;
} outcome;

static outcome race(dl_challenges policy, uint64_t burst)
{
    repaired w;
    open_world(&w, 7);
    dl_iterated_options options = DL_ITERATED_DEFAULTS;
    dl_race r;
    assert_true(dl_race_begin(&r, w.planner, &options, policy) && dl_race_start(&r, 11, 0));
    while (r.iterated.iterations < ITERATIONS) dl_race_run(&r, burst, &w.deadline);
    outcome result = {dl_race_best(&r)->soc, r.iterated.searches, r.challenges, r.challenged};
    dl_race_end(&r);
    repaired_close(&w);
    return result;
}

static void the_same_seed_gives_the_same_plan_however_the_run_is_cut(void **state)
{
    (void)state;
    outcome whole = race(DL_CHALLENGES_STALLED, ITERATIONS), cut = race(DL_CHALLENGES_STALLED, 1000),
            crumbs = race(DL_CHALLENGES_STALLED, 1);
    assert_true(whole.challenges > 0);
    assert_int_equal(whole.soc, cut.soc);
    assert_int_equal(whole.searches, cut.searches);
    assert_int_equal(whole.soc, crumbs.soc);
    assert_int_equal(whole.searches, crumbs.searches);
}

static void however_early_challenges_come_the_same_seed_gives_the_same_plan(void **state)
{
    (void)state;
    for (dl_challenges policy = DL_CHALLENGES_STALLED; policy <= DL_CHALLENGES_AT_ONCE; policy++) {
        outcome whole = race(policy, ITERATIONS), cut = race(policy, 75);
        assert_int_equal(whole.soc, cut.soc);
        assert_int_equal(whole.searches, cut.searches);
    }
}

/* Searches when the first challenge begins. The best plan must be valid during and after it, and what was begun before
 * it goes on if it loses. */
static uint64_t first_challenge(dl_challenges policy)
{
    repaired w;
    open_world(&w, 5);
    dl_iterated_options options = DL_ITERATED_DEFAULTS;
    options.audit = true;
    dl_race r;
    assert_true(dl_race_begin(&r, w.planner, &options, policy) && dl_race_start(&r, 3, 0));
    while (r.challenges == 0) dl_race_run(&r, 1, &w.deadline);
    uint64_t began = r.challenge_began;
    repaired_expect_valid(&w, dl_race_best(&r)->track, dl_race_best(&r)->soc);
    while (r.is_challenge) dl_race_run(&r, 1, &w.deadline);
    repaired_expect_valid(&w, dl_race_best(&r)->track, dl_race_best(&r)->soc);
    if (r.won == 0 && r.lessons.opening_cost == 0) assert_int_equal(r.iterated.phase, DL_OPENING);
    dl_race_run(&r, 5000, &w.deadline);
    repaired_expect_valid(&w, dl_race_best(&r)->track, dl_race_best(&r)->soc);
    dl_race_end(&r);
    repaired_close(&w);
    return began;
}

static void the_first_challenge_comes_when_it_is_meant_to(void **state)
{
    (void)state;
    uint64_t stalled = first_challenge(DL_CHALLENGES_STALLED), early = first_challenge(DL_CHALLENGES_EARLY);
    uint64_t at_once = first_challenge(DL_CHALLENGES_AT_ONCE);
    print_message("searches: %d at once, %d early, %d when stalled\n", (int)at_once, (int)early, (int)stalled);
    assert_true(at_once < early && early < stalled);
}

static void early_challenges_come_one_after_the_other(void **state)
{
    (void)state;
    outcome early = race(DL_CHALLENGES_EARLY, ITERATIONS), stalled = race(DL_CHALLENGES_STALLED, ITERATIONS);
    double early_share = (double)early.challenged / (double)early.searches;
    double stalled_share = (double)stalled.challenged / (double)stalled.searches;
    print_message("%d challenges early, %d when stalled\n", (int)early.challenges, (int)stalled.challenges);
    print_message("%.2f of the searches early, %.2f when stalled\n", early_share, stalled_share);
    assert_true(early.challenges > stalled.challenges && early_share > 2 * stalled_share);
}

static void without_challengers_it_is_an_iterated_search(void **state)
{
    (void)state;
    outcome alone = race(DL_CHALLENGES_NEVER, 1000);
    repaired w;
    open_world(&w, 7);
    dl_iterated_options options = DL_ITERATED_DEFAULTS;
    dl_iterated m;
    assert_true(dl_iterated_begin(&m, w.planner, &options) && dl_iterated_start(&m, 11, 0));
    dl_iterated_run(&m, ITERATIONS, &w.deadline);
    assert_int_equal(alone.soc, m.best.soc);
    assert_int_equal(alone.searches, m.searches);
    assert_int_equal(alone.challenges, 0);
    dl_iterated_end(&m);
    repaired_close(&w);
}

/* Somebody else's plan in the middle of a challenge: the race goes on from it. */
static void a_plan_from_elsewhere_ends_a_challenge(void **state)
{
    (void)state;
    repaired w;
    open_world(&w, 2);
    dl_iterated_options options = DL_ITERATED_DEFAULTS;
    options.audit = true;
    dl_race r;
    assert_true(dl_race_begin(&r, w.planner, &options, DL_CHALLENGES_STALLED) && dl_race_start(&r, 3, 0));
    while (!r.is_challenge && r.iterated.iterations < 10 * ITERATIONS) dl_race_run(&r, 64, &w.deadline);
    assert_true(r.is_challenge);
    dl_snapshot other;
    assert_true(dl_snapshot_begin(&other, w.instance->agents));
    for (int agent = 0; agent < w.instance->agents; agent++)
        assert_true(dl_track_copy(&other.track[agent], &r.champion.track[agent]));
    assert_true(dl_race_adopt(&r, other.track, r.champion.soc, &w.deadline));
    assert_false(r.is_challenge);
    repaired_expect_valid(&w, dl_race_best(&r)->track, dl_race_best(&r)->soc);
    assert_true(w.planner->ops->audit(w.planner));
    dl_race_run(&r, 5000, &w.deadline);
    repaired_expect_valid(&w, dl_race_best(&r)->track, dl_race_best(&r)->soc);
    dl_snapshot_end(&other);
    dl_race_end(&r);
    repaired_close(&w);
}

/* ---- full boards ---- */

/* So full that repair has no chance, with LaCAM's plan. */
static void open_full_world(repaired *w)
{
    enum { CROWD = 74 };
    *w = (repaired){.instance = test_preset_instance("small-random", CROWD, 4), .deadline = dl_no_deadline()};
    w->distance = dl_distance_create(w->instance);
    w->planner = dl_planner_create(w->instance, w->distance, DL_ENGINE_AUTO);
    dl_plan *plan = test_solved_plan(w->instance, 1);
    assert_non_null(plan);
    for (int agent = 0; agent < CROWD; agent++)
        assert_true(dl_planner_read_path(w->planner, agent, &plan->path[agent]) &&
                    dl_planner_insert(w->planner, agent));
    w->soc = dl_plan_soc(plan);
    dl_plan_free(plan);
}

static outcome race_on_full_board(uint64_t burst)
{
    repaired w;
    open_full_world(&w);
    dl_iterated_options options = DL_ITERATED_DEFAULTS;
    options.audit = true;
    dl_race r;
    assert_true(dl_race_begin(&r, w.planner, &options, DL_CHALLENGES_EARLY));
    r.fresh = DL_FRESH_LACAM;
    assert_true(dl_race_start(&r, 11, 0));
    for (int64_t before = w.soc; r.iterated.iterations < ITERATIONS / 2; before = dl_race_best(&r)->soc) {
        uint64_t challenges = r.challenges;
        dl_race_run(&r, burst, &w.deadline);
        if (challenges == 0 && r.challenges > 0) assert_int_equal(r.iterated.rounds, 0); /* nobody waits for one */
        assert_true(dl_race_best(&r)->soc <= before);
        repaired_expect_valid(&w, dl_race_best(&r)->track, dl_race_best(&r)->soc);
    }
    assert_true(r.won > 0 && r.won < r.challenges);
    assert_int_equal(r.failures, 0);
    outcome result = {dl_race_best(&r)->soc, r.iterated.searches, r.challenges, r.challenged};
    dl_race_end(&r);
    repaired_close(&w);
    return result;
}

static void on_full_boards_other_plans_of_lacam_challenge_the_first_one(void **state)
{
    (void)state;
    outcome whole = race_on_full_board(1000), cut = race_on_full_board(75);
    print_message("%d challenges\n", (int)whole.challenges);
    assert_true(whole.challenges > 3);
    assert_int_equal(whole.challenges, cut.challenges);
    assert_int_equal(whole.searches, cut.searches);
    assert_int_equal(whole.soc, cut.soc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_plan_is_valid_at_any_time_and_never_dearer),
        cmocka_unit_test(the_same_seed_gives_the_same_plan_however_the_run_is_cut),
        cmocka_unit_test(however_early_challenges_come_the_same_seed_gives_the_same_plan),
        cmocka_unit_test(the_first_challenge_comes_when_it_is_meant_to),
        cmocka_unit_test(early_challenges_come_one_after_the_other),
        cmocka_unit_test(without_challengers_it_is_an_iterated_search),
        cmocka_unit_test(a_plan_from_elsewhere_ends_a_challenge),
        cmocka_unit_test(on_full_boards_other_plans_of_lacam_challenge_the_first_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

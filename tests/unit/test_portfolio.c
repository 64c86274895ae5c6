/* The portfolio from outside: what policies come to, and that to ask which is due changes nothing. */
#include "base/choice.h"
#include "mapf/check.h"
#include "solver/event.h"
#include "solver/policies.h"
#include "support.h"

static dl_options options_for(uint64_t iterations)
{
    dl_options o;
    dl_options_default(&o);
    o.iterations = iterations;
    o.threads = 1;
    o.stop = DL_STOP_LIMIT;
    return o;
}

/* ---- the table ---- */

static void rows_say_who_and_for_how_long(void **state)
{
    (void)state;
    int rows = 0;
    for (const dl_policy *policy; (policy = dl_policy_at(rows)); rows++) {
        assert_non_null(policy->when);
        bool challenges = policy->who == DL_WHO_TRAFFIC || policy->who == DL_WHO_LACAM;
        assert_true(challenges == (policy->against == DL_AGAINST_CHAMPION));
        assert_true(!challenges || policy->how_long == DL_FOR_STUCK);
    }
    assert_true(rows >= 10);
    assert_null(dl_policy_at(rows));
    assert_null(dl_policy_at(-1));
}

/* ---- predicates ---- */

typedef struct questions {
    int asked, due;
} questions;

/* Asks for workers with and without work, in the middle of a solve of one thread. */
static void ask(void *user, const difflns_event *event)
{
    questions *q = user;
    dl_portfolio *f = event->solve, before;
    if (difflns_event_kind(event) == DIFFLNS_EVENT_FINISHED || difflns_event_kind(event) == DIFFLNS_EVENT_STARTED)
        return;
    for (int number = 0; number <= f->threads; number++) {
        dl_worker w = {.f = f, .number = number}, same;
        for (int place = 0; place < DL_PLACES; place++) w.lane[place] = &w.lanes[place];
        memcpy(&same, &w, sizeof w);
        memcpy(&before, f, sizeof before);
        const dl_policy *due = dl_policy_due(&w);
        (void)dl_may_become_due(&w);
        (void)dl_is_over(&w);
        assert_ptr_equal(dl_policy_due(&w), due);
        assert_memory_equal(&same, &w, sizeof w);
        assert_memory_equal(&before, f, sizeof before);
        q->asked++;
        q->due += due != NULL;
    }
}

static void asking_changes_nothing(void **state)
{
    (void)state;
    static const char *const INIT[] = {"auto", "traffic"};
    for (int i = 0; i < 2; i++) {
        questions q = {0};
        dl_options o = options_for(30000);
        o.init = dl_choice_index(DL_START_CHOICES, INIT[i]);
        dl_instance *instance = test_preset_instance("small-random", 45, 3);
        dl_plan *plan;
        dl_report report;
        dl_solve_input input = {.instance = instance, .options = &o, .listener = ask, .user = &q};
        assert_int_equal(dl_solve(&input, &plan, &report, NULL), DIFFLNS_OK);
        print_message("%d questions, %d policies due\n", q.asked, q.due);
        assert_true(q.asked > 1);
        dl_report_free(&report);
        dl_plan_free(plan);
        dl_instance_free(instance);
    }
}

/* ---- challenges ---- */

static int wins_of_traffic(const char *init)
{
    enum { SEEDS = 5, AGENTS = 40, ITERATIONS = 120000 };
    int won = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        dl_instance *instance = test_preset_instance("small-random", AGENTS, seed);
        dl_options o = options_for(ITERATIONS);
        o.init = dl_choice_index(DL_START_CHOICES, init);
        dl_plan *plan;
        dl_report report;
        dl_solve_input input = {.instance = instance, .options = &o, .keep_start = true};
        assert_int_equal(dl_solve(&input, &plan, &report, NULL), DIFFLNS_OK);
        assert_true(dl_check_valid(instance, plan));
        assert_non_null(report.start);
        assert_int_equal(report.repair_iterations + report.improve_iterations, ITERATIONS);
        won += strcmp(report.init, "traffic") == 0;
        dl_report_free(&report);
        dl_plan_free(plan);
        dl_instance_free(instance);
    }
    return won;
}

static void challengers_win_now_and_then_and_never_where_a_start_was_asked_for(void **state)
{
    (void)state;
    int won = wins_of_traffic("auto");
    print_message("%d of 5 plans grew from a challenger\n", won);
    assert_true(won > 0);
    assert_int_equal(wins_of_traffic("pp"), 0);
}

/* ---- what is published ---- */

typedef struct published {
    const dl_instance *instance;
    int64_t soc;
    int plans;
} published;

static void check_best(void *user, const difflns_event *event)
{
    published *p = user;
    difflns_event_type kind = difflns_event_kind(event);
    if (kind != DIFFLNS_EVENT_FIRST_PLAN && kind != DIFFLNS_EVENT_BETTER_PLAN) return;
    dl_plan *plan;
    assert_int_equal(event->copy_best(event->solve, &plan, NULL), DIFFLNS_OK);
    assert_true(dl_check_valid(p->instance, plan));
    int64_t soc = dl_plan_soc(plan);
    if (kind == DIFFLNS_EVENT_FIRST_PLAN) assert_int_equal(p->plans, 0);
    if (kind == DIFFLNS_EVENT_BETTER_PLAN) assert_true(soc < p->soc);
    p->soc = soc;
    p->plans++;
    dl_plan_free(plan);
}

/* Also on a board where the first plan is that of last resort, and candidates and LaCAM's plans come after it. */
static void the_best_plan_is_valid_at_any_time_and_its_cost_never_rises(void **state)
{
    (void)state;
    for (int agents = 50; agents <= 74; agents += 24) {
        dl_instance *instance = test_preset_instance("small-random", agents, 4);
        published p = {.instance = instance};
        dl_options o = options_for(0);
        o.time = 1.5;
        dl_plan *plan;
        dl_report report;
        dl_solve_input input = {.instance = instance, .options = &o, .listener = check_best, .user = &p};
        assert_int_equal(dl_solve(&input, &plan, &report, NULL), DIFFLNS_OK);
        assert_int_equal(report.soc, p.soc);
        assert_true(p.plans > 1);
        dl_report_free(&report);
        dl_plan_free(plan);
        dl_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_say_who_and_for_how_long),
        cmocka_unit_test(asking_changes_nothing),
        cmocka_unit_test(challengers_win_now_and_then_and_never_where_a_start_was_asked_for),
        cmocka_unit_test(the_best_plan_is_valid_at_any_time_and_its_cost_never_rises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A whole solve when memory is out: the best plan there is, or a status that says so. */
#include "base/choice.h"
#include "everywhere.h"
#include "faults.h"
#include "mapf/check.h"
#include "solver/solve.h"
#include "start/start.h"
#include "support.h"

typedef struct solve_case {
    const char *rows;
    int agents;
    const int (*tasks)[4];
    dl_options options;
    bool given;   /* start from a plan that collides */
    bool hurried; /* the first plan will do */
    bool errands; /* some agents have a prefix, some several goals */
} solve_case;

static const int CROWD[][4] = {{0, 0, 0, 5}, {0, 5, 0, 0}, {1, 0, 2, 5}, {2, 5, 1, 0},
                               {2, 0, 0, 2}, {0, 2, 2, 0}, {1, 5, 2, 2}};

static solve_case crowd(const char *init, int threads)
{
    solve_case c = {.rows = "....../.@..@./......", .agents = 7, .tasks = CROWD, .given = strcmp(init, "plan") == 0};
    dl_options_default(&c.options);
    c.options.init = dl_choice_index(DL_START_CHOICES, init);
    c.options.threads = threads;
    c.options.stop = DL_STOP_LIMIT;
    c.options.iterations = 300;
    c.options.seed = 4;
    return c;
}

/* The instance anew each time: what its map keeps must not serve the next try. */
static dl_status make(const solve_case *c, dl_instance **out)
{
    uint8_t blocked[256];
    int height = 1, width = (int)strcspn(c->rows, "/"), area = 0;
    for (const char *r = c->rows; *r; r++)
        if (*r == '/')
            height++;
        else
            blocked[area++] = *r == '@';
    difflns_cell starts[16], goals[16];
    for (int i = 0; i < c->agents; i++) {
        starts[i] = (difflns_cell){c->tasks[i][0], c->tasks[i][1]};
        goals[i] = (difflns_cell){c->tasks[i][2], c->tasks[i][3]};
    }
    DL_TRY(difflns_instance_create(height, width, blocked, c->agents, starts, goals, out, NULL));
    if (!c->errands) return DIFFLNS_OK;
    const difflns_cell prefix[] = {{0, 0}, {0, 1}}, queue[] = {{2, 5}, {0, 0}, {2, 0}};
    dl_status status = difflns_instance_set_departure(*out, 2, 2, NULL);
    if (status == DIFFLNS_OK) status = difflns_instance_set_prefix(*out, 0, prefix, 2, NULL);
    if (status == DIFFLNS_OK) status = difflns_instance_set_goals(*out, 5, queue, 3, NULL);
    if (status == DIFFLNS_OK) return DIFFLNS_OK;
    difflns_instance_free(*out);
    *out = NULL;
    return status;
}

/* Everybody straight from start to goal: no plan, but something to start from. */
static dl_plan *colliding_plan(const dl_instance *instance)
{
    dl_plan *plan = dl_plan_create(instance->agents);
    bool fits = plan != NULL;
    for (int agent = 0; fits && agent < instance->agents; agent++)
        fits = dl_plan_set(plan, instance->grid, agent, &instance->start[agent], 1);
    if (fits) return plan;
    dl_plan_free(plan);
    return NULL;
}

/* A plan comes with OK and nothing else, and it is valid. */
static dl_status judge(const dl_instance *instance, const dl_plan *plan, dl_status status)
{
    faults_pause();
    bool valid = plan && dl_check_valid(instance, plan);
    faults_resume();
    return (status == DIFFLNS_OK) == (plan != NULL) && valid == (plan != NULL) ? status : DIFFLNS_INTERNAL;
}

static void stop_at_the_first_plan(void *user, const difflns_event *event)
{
    if (difflns_event_kind(event) == DIFFLNS_EVENT_FIRST_PLAN) atomic_store((atomic_int *)user, 1);
}

static dl_status solve(void *user)
{
    const solve_case *c = user;
    dl_instance *instance;
    dl_status status = make(c, &instance);
    if (status != DIFFLNS_OK) return instance ? DIFFLNS_INTERNAL : status;
    dl_plan *given = c->given ? colliding_plan(instance) : NULL, *plan = NULL;
    dl_report report = {0};
    dl_solve_input input = {.instance = instance, .options = &c->options, .init_plan = given, .keep_start = true};
    atomic_int stop = 0;
    if (c->hurried) {
        input.listener = stop_at_the_first_plan;
        input.user = &stop;
        input.stop = &stop;
    }
    status = DIFFLNS_OUT_OF_MEMORY;
    if (given || !c->given) {
        status = dl_solve(&input, &plan, &report, NULL);
        if (status == DIFFLNS_STOPPED && plan) status = DIFFLNS_OK;
        status = judge(instance, plan, status);
    }
    dl_report_free(&report);
    dl_plan_free(plan);
    dl_plan_free(given);
    dl_instance_free(instance);
    return status;
}

static void every_start_ends_with_a_plan_or_says_so(void **state)
{
    (void)state;
    static const char *const INIT[] = {"auto",    "pibt",  "slack", "paths",
                                       "traffic", "lacam", "plan"}; /* auto begins with pp */
    for (size_t i = 0; i < sizeof INIT / sizeof INIT[0]; i++) {
        solve_case c = crowd(INIT[i], 1);
        assert_true(faults_everywhere(solve, &c, 1) > 100);
    }
}

static void errands_end_with_a_plan_or_say_so(void **state)
{
    (void)state;
    static const char *const INIT[] = {"auto", "slack"};
    for (size_t i = 0; i < sizeof INIT / sizeof INIT[0]; i++) {
        solve_case c = crowd(INIT[i], 1);
        c.errands = true;
        c.options.iterations = 2000;
        c.options.stop = DL_STOP_FIRST;
        assert_true(faults_everywhere(solve, &c, 1) > 100);
    }
    solve_case c = crowd("paths", 1);
    c.errands = true;
    c.options.iterations = 2000;
    c.options.stop = DL_STOP_FIRST;
    assert_true(faults_everywhere(solve, &c, 1) > 100);
}

static void threads_that_run_out_of_memory_leave_the_others_at_work(void **state)
{
    (void)state;
    solve_case c = crowd("slack", 2);
    assert_true(faults_everywhere(solve, &c, 1) > 100);
}

/* No start of repair succeeds within one iteration here, so that the fallback must. */
static void the_fallback_ends_with_a_plan_or_says_so(void **state)
{
    (void)state;
    solve_case c = crowd("paths", 1);
    c.options.iterations = 1;
    c.options.stop = DL_STOP_FIRST;
    assert_true(faults_everywhere(solve, &c, 1) > 100);
}

/* By time instead of iterations: the reserve has a thread of its own. */
static void the_reserve_ends_with_a_plan_or_says_so(void **state)
{
    (void)state;
    solve_case c = crowd("slack", 1);
    c.options.iterations = 0;
    c.options.stop = DL_STOP_FIRST;
    c.options.time = 600;
    c.hurried = true; /* the plan of the reserve would be improved until the limit */
    assert_true(faults_everywhere(solve, &c, 7) > 10);
}

/* Scratch that a failed solve leaves behind serves the next one. */
static void a_solver_stays_usable_after_it_ran_out_of_memory(void **state)
{
    (void)state;
    solve_case c = crowd("slack", 1);
    dl_instance *instance;
    assert_int_equal(make(&c, &instance), DIFFLNS_OK);
    long before = faults_live();
    dl_scratch scratch = {0};
    for (long n = 1; n < 200; n++) {
        dl_solve_input input = {.instance = instance, .options = &c.options, .scratch = &scratch};
        dl_plan *plan;
        dl_report report;
        faults_arm(n, FAULTS_ONCE);
        dl_status status = dl_solve(&input, &plan, &report, NULL);
        faults_disarm();
        assert_true(status == DIFFLNS_OK || status == DIFFLNS_OUT_OF_MEMORY);
        assert_true((plan != NULL) == (status == DIFFLNS_OK));
        dl_plan_free(plan);
        dl_report_free(&report);
        assert_int_equal(dl_solve(&input, &plan, &report, NULL), DIFFLNS_OK);
        assert_true(dl_check_valid(instance, plan));
        dl_plan_free(plan);
        dl_report_free(&report);
    }
    dl_scratch_free(&scratch);
    dl_instance_free(instance);
    assert_true(faults_live() < before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_start_ends_with_a_plan_or_says_so),
        cmocka_unit_test(errands_end_with_a_plan_or_say_so),
        cmocka_unit_test(threads_that_run_out_of_memory_leave_the_others_at_work),
        cmocka_unit_test(the_fallback_ends_with_a_plan_or_says_so),
        cmocka_unit_test(the_reserve_ends_with_a_plan_or_says_so),
        cmocka_unit_test(a_solver_stays_usable_after_it_ran_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The searches when memory is out: they end as when time is out, say so, and what they held before is intact. */
#include "complete/complete_solver.h"
#include "complete/solvability.h"
#include "everywhere.h"
#include "faults.h"
#include "lacam/lacam.h"
#include "lacam/pibt_rollout.h"
#include "lacam/windows.h"
#include "lns/descent.h"
#include "lns/improve.h"
#include "lns/prioritized.h"
#include "lns/repair.h"
#include "lns/slack.h"
#include "lns/traffic.h"
#include "mapf/check.h"
#include "support.h"

/* Each try makes the instance anew: what its map keeps must not serve the next one. NULL when memory is out. */
static dl_instance *make(const char *rows, int agents, const int tasks[][4])
{
    int height = 1, width = (int)strcspn(rows, "/"), area = 0;
    uint8_t blocked[1024];
    for (const char *c = rows; *c; c++)
        if (*c == '/')
            height++;
        else
            blocked[area++] = *c == '@';
    dl_task task[16];
    for (int i = 0; i < agents; i++)
        task[i] = (dl_task){.start = {tasks[i][0], tasks[i][1]}, .goal = {tasks[i][2], tasks[i][3]}};
    dl_grid *grid;
    dl_instance *instance = NULL;
    if (dl_grid_create(height, width, blocked, &grid, NULL) == DIFFLNS_OK)
        (void)dl_instance_create(grid, "test", "test", agents, task, &instance, NULL);
    return instance;
}

/* Small enough to be solved at once, and too crowded for shortest paths. */
static dl_instance *crowd(void)
{
    static const int TASKS[][4] = {{0, 0, 0, 5}, {0, 5, 0, 0}, {1, 0, 2, 5}, {2, 5, 1, 0},
                                   {2, 0, 0, 2}, {0, 2, 2, 0}, {1, 5, 2, 2}};
    return make("....../.@..@./......", 7, TASKS);
}

/* One free cell, and everybody wants to be elsewhere: rotations. */
static dl_instance *full_house(void)
{
    static const int TASKS[][4] = {{0, 0, 2, 1}, {0, 1, 0, 0}, {0, 2, 1, 0}, {1, 0, 0, 2},
                                   {1, 1, 2, 0}, {1, 2, 0, 1}, {2, 0, 1, 2}, {2, 1, 1, 1}};
    return make(".../.../...", 8, TASKS);
}

/* A ring with a tail, two agents to exchange: the search for a swap. */
static dl_instance *tailed_ring(void)
{
    static const int TASKS[][4] = {{0, 0, 0, 1}, {0, 1, 0, 0}, {0, 2, 0, 2}, {1, 0, 1, 0}, {1, 2, 1, 2}, {2, 0, 2, 0}};
    return make("...../.@.@@/...@@", 6, TASKS);
}

/* Two rings that share a cell, without a free cell: all joint states. */
static dl_instance *two_rings(void)
{
    static const int TASKS[][4] = {{0, 0, 0, 1}, {0, 1, 0, 0}, {1, 0, 1, 0}, {1, 1, 1, 1},
                                   {1, 2, 1, 2}, {2, 1, 2, 2}, {2, 2, 2, 1}};
    return make("..@/.../@..", 7, TASKS);
}

/* A fifteen puzzle of six cells, two pairs to be exchanged: without rotations, all joint states. */
static dl_instance *puzzle(void)
{
    static const int TASKS[][4] = {{0, 0, 0, 1}, {0, 1, 0, 0}, {1, 0, 1, 1}, {1, 1, 1, 0}, {0, 2, 0, 2}};
    return make(".../...", 5, TASKS);
}

typedef struct search_case search_case;

struct search_case {
    dl_instance *(*make)(void);
    dl_status (*search)(const search_case *c, const dl_instance *instance);
    dl_engine engine;
    int start; /* which start fills the tracks */
    bool audit;
    dl_rules rules;
};

static dl_status search(void *user)
{
    const search_case *c = user;
    dl_instance *instance = c->make();
    dl_status status = instance ? c->search(c, instance) : DIFFLNS_OUT_OF_MEMORY;
    dl_instance_free(instance);
    return status;
}

enum { FROM_NOTHING, FROM_SLACK, FROM_PIBT, FROM_PRIORITIES, STARTS };

static const uint64_t ITERATIONS = 40;

static void make_start(const search_case *c, dl_planner *p)
{
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('t', 'e', 's', 't'), 0);
    dl_deadline never = dl_no_deadline();
    dl_slack slack = {.waits = 2, .detour = 0.5, .stretch = 2};
    if (c->start == FROM_SLACK) dl_slack_paths(p, &rng, &slack);
    if (c->start == FROM_PIBT) dl_pibt_rollout(p, &rng, 6, &never);
    if (c->start == FROM_PRIORITIES) dl_prioritized(p, &rng, DL_PRIORITY_RANDOM, DL_LATE_DEPARTURE, &never);
}

static dl_status improve(dl_planner *p)
{
    dl_improve m;
    dl_deadline never = dl_no_deadline();
    dl_improve_options options = {.neighbors = 3, .rule = DL_WAIT_FIRST};
    dl_status status = DIFFLNS_OUT_OF_MEMORY;
    if (dl_improve_begin(&m, p, &options)) {
        dl_improve_start(&m, 5, 0);
        dl_improve_run(&m, ITERATIONS, &never);
        status = p->exhausted ? DIFFLNS_OUT_OF_MEMORY : DIFFLNS_OK;
    }
    dl_improve_end(&m);
    return status;
}

/* Whatever happened, the table holds what the tracks say, and a plan without collisions stays one. */
static dl_status look_at(const search_case *c, dl_planner *p, bool repaired, dl_status status)
{
    faults_pause();
    if (c->audit && !p->ops->audit(p)) status = DIFFLNS_INTERNAL;
    if (repaired) {
        dl_plan *plan = dl_planner_write_plan(p);
        if (!plan || !dl_check_valid(p->instance, plan)) status = DIFFLNS_INTERNAL;
        dl_plan_free(plan);
    }
    faults_resume();
    return status;
}

static dl_status repair_and_improve(const search_case *c, const dl_instance *instance)
{
    dl_status status = DIFFLNS_OUT_OF_MEMORY;
    dl_deadline never = dl_no_deadline();
    dl_distance *distance = dl_distance_create(instance);
    dl_planner *p = distance ? dl_planner_create(instance, distance, c->engine) : NULL;
    dl_repair r;
    if (p && dl_repair_begin(&r, p, &DL_REPAIR_DEFAULTS)) {
        make_start(c, p);
        bool started = dl_repair_start(&r, 3, 0, &never);
        bool repaired = started && dl_repair_run(&r, UINT64_MAX, &never);
        if (!repaired && !p->exhausted) status = DIFFLNS_INTERNAL; /* without limits only memory ends it */
        if (repaired) status = improve(p);
        status = look_at(c, p, repaired, status);
    }
    if (p) dl_repair_end(&r);
    dl_planner_free(p);
    dl_distance_free(distance);
    return status;
}

static void repair_and_improvement_stop_where_memory_does(void **state)
{
    (void)state;
    search_case c = {.make = crowd, .search = repair_and_improve, .audit = true};
    for (c.engine = DL_ENGINE_BOARDS; c.engine <= DL_ENGINE_SIPPS; c.engine++)
        for (c.start = 0; c.start < STARTS; c.start++) assert_true(faults_everywhere(search, &c, 1) > 40);
}

/* Weights need memory, too: their first table is made at the first stall. */
static dl_status repair_in_vain(const search_case *c, const dl_instance *instance)
{
    dl_status status = DIFFLNS_OUT_OF_MEMORY;
    dl_deadline never = dl_no_deadline();
    dl_distance *distance = dl_distance_create(instance);
    dl_planner *p = distance ? dl_planner_create(instance, distance, c->engine) : NULL;
    dl_repair_options options = DL_REPAIR_DEFAULTS;
    options.breakout = ITERATIONS / 4;
    dl_repair r;
    if (p && dl_repair_begin(&r, p, &options) && dl_repair_start(&r, 3, 0, &never)) {
        bool repaired = dl_repair_run(&r, ITERATIONS, &never);
        status = p->exhausted ? DIFFLNS_OUT_OF_MEMORY : DIFFLNS_OK;
        faults_pause();
        bool is_sound = p->exhausted || (r.weights.count > 0 && dl_repair_audit(&r));
        if (repaired || !is_sound) status = DIFFLNS_INTERNAL;
        faults_resume();
    }
    if (p) dl_repair_end(&r);
    dl_planner_free(p);
    dl_distance_free(distance);
    return status;
}

static void repair_ends_where_weights_find_no_memory(void **state)
{
    (void)state;
    search_case c = {.make = full_house, .search = repair_in_vain, .engine = DL_ENGINE_BOARDS};
    assert_true(faults_everywhere(search, &c, 1) > 40);
}

static dl_status expect_valid(const dl_descent *d)
{
    const dl_instance *instance = d->planner->instance;
    const dl_track *best = dl_descent_tracks(d);
    dl_status status = DIFFLNS_OK;
    dl_plan *plan = dl_plan_create(instance->agents);
    for (int agent = 0; plan && agent < instance->agents; agent++)
        if (!dl_plan_set(plan, instance->grid, agent, best[agent].at, best[agent].cost + 1)) status = DIFFLNS_INTERNAL;
    if (!plan || !dl_check_valid(instance, plan) || dl_plan_soc(plan) != d->soc) status = DIFFLNS_INTERNAL;
    dl_plan_free(plan);
    return status;
}

/* The best plan is there whenever memory ends, although the table may be in the middle of a round. */
static dl_status improve_in_rounds(dl_planner *p)
{
    enum { ENOUGH = 600 }; /* iterations: some rounds of every kind */
    dl_descent d;
    dl_deadline never = dl_no_deadline();
    dl_descent_options options = DL_DESCENT_DEFAULTS;
    int64_t soc = 0;
    options.seed = 5;
    for (int agent = 0; agent < p->instance->agents; agent++) soc += p->track[agent].cost;
    bool started = dl_descent_begin(&d, p, &options) && dl_descent_adopt(&d, p->track, soc, &never);
    if (started) dl_descent_run(&d, ENOUGH, &never);
    dl_status status = started && !p->exhausted ? DIFFLNS_OK : DIFFLNS_OUT_OF_MEMORY;
    faults_pause();
    if (started && expect_valid(&d) != DIFFLNS_OK) status = DIFFLNS_INTERNAL;
    faults_resume();
    dl_descent_end(&d);
    return status;
}

static bool make_traffic(void *user, dl_planner *planner, uint64_t *searches, const dl_deadline *deadline)
{
    (void)user, (void)searches;
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('t', 'e', 's', 't'), 0);
    dl_traffic_paths(planner, &rng, deadline);
    return !planner->exhausted;
}

/* All stages of a descent, one after the other. */
static dl_status descend(const search_case *c, const dl_instance *instance)
{
    enum { ENOUGH = 600 };
    dl_deadline never = dl_no_deadline();
    dl_distance *distance = dl_distance_create(instance);
    dl_planner *p = distance ? dl_planner_create(instance, distance, c->engine) : NULL;
    dl_descent_options options = DL_DESCENT_DEFAULTS;
    options.source.make = make_traffic;
    dl_descent d = {0};
    bool begun = p && dl_descent_begin(&d, p, &options);
    for (int stage = 0; begun && stage < DL_OVER; stage++) dl_descent_run(&d, ENOUGH, &never);
    dl_status status = begun && !p->exhausted ? DIFFLNS_OK : DIFFLNS_OUT_OF_MEMORY;
    faults_pause();
    if (status == DIFFLNS_OK && d.stage < DL_LOWERING) status = DIFFLNS_INTERNAL;
    if (begun && d.lowers && expect_valid(&d) != DIFFLNS_OK) status = DIFFLNS_INTERNAL;
    faults_resume();
    if (p) dl_descent_end(&d);
    dl_planner_free(p);
    dl_distance_free(distance);
    return status;
}

static dl_status repair_and_go_on(const search_case *c, const dl_instance *instance)
{
    dl_status status = DIFFLNS_OUT_OF_MEMORY;
    dl_deadline never = dl_no_deadline();
    dl_distance *distance = dl_distance_create(instance);
    dl_planner *p = distance ? dl_planner_create(instance, distance, c->engine) : NULL;
    dl_repair r;
    if (p && dl_repair_begin(&r, p, &DL_REPAIR_DEFAULTS)) {
        make_start(c, p);
        bool started = dl_repair_start(&r, 3, 0, &never);
        if (started && dl_repair_run(&r, UINT64_MAX, &never)) status = improve_in_rounds(p);
    }
    if (p) dl_repair_end(&r);
    dl_planner_free(p);
    dl_distance_free(distance);
    return status;
}

static void rounds_have_their_best_plan_whenever_memory_ends(void **state)
{
    (void)state;
    search_case c = {.make = crowd, .search = repair_and_go_on, .start = FROM_PRIORITIES};
    for (c.engine = DL_ENGINE_BOARDS; c.engine <= DL_ENGINE_SIPPS; c.engine++)
        assert_true(faults_everywhere(search, &c, 7) > 10);
}

static void a_descent_has_its_best_plan_whenever_memory_ends(void **state)
{
    (void)state;
    search_case c = {.make = crowd, .search = descend};
    for (c.engine = DL_ENGINE_BOARDS; c.engine <= DL_ENGINE_SIPPS; c.engine++)
        assert_true(faults_everywhere(search, &c, 7) > 10);
}

/* So long that paths outgrow the first tables. */
static dl_instance *long_hall(void)
{
    enum { LENGTH = 300 };
    char rows[2 * LENGTH + 2];
    memset(rows, '.', sizeof rows);
    rows[LENGTH] = '/';
    rows[2 * LENGTH + 1] = 0;
    static const int TASKS[][4] = {{0, 0, 0, LENGTH - 1}, {1, LENGTH - 1, 1, 0}, {0, LENGTH - 1, 0, 0}};
    return make(rows, 3, TASKS);
}

static void tables_that_cannot_grow_stay_as_they_are(void **state)
{
    (void)state;
    search_case c = {.make = long_hall, .search = repair_and_go_on, .start = FROM_SLACK};
    for (c.engine = DL_ENGINE_BOARDS; c.engine <= DL_ENGINE_SIPPS; c.engine++)
        assert_true(faults_everywhere(search, &c, 1) > 40);
}

static dl_status lacam(const search_case *c, const dl_instance *instance)
{
    dl_distance *distance = dl_distance_create(instance);
    if (!distance) return DIFFLNS_OUT_OF_MEMORY;
    dl_lacam_options options = dl_lacam_lean(2);
    options.anytime = c->start > 0;
    options.expansions = 400;
    dl_lacam_result result;
    dl_status status = dl_lacam_solve(instance, distance, &options, dl_no_deadline(), &result, NULL);
    if ((status == DIFFLNS_OK) != (result.plan != NULL)) status = DIFFLNS_INTERNAL;
    faults_pause();
    if (result.plan && !dl_check_valid(instance, result.plan)) status = DIFFLNS_INTERNAL;
    faults_resume();
    dl_lacam_result_release(&result);
    dl_distance_free(distance);
    return status;
}

static void lacam_hands_back_the_plan_it_has(void **state)
{
    (void)state;
    search_case c = {.make = crowd, .search = lacam};
    for (c.start = 0; c.start < 2; c.start++) assert_true(faults_everywhere(search, &c, 1) > 40);
}

static dl_status complete(const search_case *c, const dl_instance *instance)
{
    dl_complete_options options = {.seed = 1, .orders = 2, .rules = c->rules};
    dl_plan *plan;
    dl_status status = dl_complete_solve(instance, NULL, &options, dl_no_deadline(), &plan, NULL);
    if ((status == DIFFLNS_OK) != (plan != NULL)) status = DIFFLNS_INTERNAL;
    dl_plan_free(plan);
    return status;
}

static dl_status complete_a_prefix(const search_case *c, const dl_instance *instance)
{
    dl_plan *prefix = dl_plan_create(instance->agents), *plan = NULL;
    bool fits = prefix != NULL;
    for (int agent = 0; fits && agent < instance->agents; agent++)
        fits = dl_plan_set(prefix, instance->grid, agent, &instance->start[agent], 1);
    dl_complete_options options = {.seed = 1, .orders = 1, .rules = c->rules};
    dl_status status = DIFFLNS_OUT_OF_MEMORY;
    if (fits) status = dl_complete_from(instance, prefix, &options, dl_no_deadline(), &plan, NULL);
    if ((status == DIFFLNS_OK) != (plan != NULL)) status = DIFFLNS_INTERNAL;
    dl_plan_free(prefix);
    dl_plan_free(plan);
    return status;
}

static dl_status test_solvability(const search_case *c, const dl_instance *instance)
{
    dl_solvability test;
    if (!dl_solvability_test(instance, c->rules, &test)) return DIFFLNS_OUT_OF_MEMORY;
    return test.verdict == DL_SOLVABLE ? DIFFLNS_OK : DIFFLNS_INTERNAL;
}

static void the_complete_solver_never_claims_what_memory_kept_from_it(void **state)
{
    (void)state;
    search_case cases[] = {{.make = crowd, .rules = DL_RULES_MAPF},
                           {.make = full_house, .rules = DL_RULES_MAPF},
                           {.make = tailed_ring, .rules = DL_RULES_MAPF},
                           {.make = two_rings, .rules = DL_RULES_MAPF},
                           {.make = puzzle, .rules = DL_RULES_PEBBLE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cases[i].search = complete;
        assert_true(faults_everywhere(search, &cases[i], 1) > 40);
        cases[i].search = complete_a_prefix;
        assert_true(faults_everywhere(search, &cases[i], 1) > 40);
        cases[i].search = test_solvability;
        assert_true(faults_everywhere(search, &cases[i], 1) > 20);
    }
}

static dl_status shorten(const search_case *c, const dl_instance *instance)
{
    (void)c;
    dl_complete_options options = {.seed = 1, .orders = 1, .rules = DL_RULES_MAPF};
    dl_plan *plan;
    dl_status status = dl_complete_solve(instance, NULL, &options, dl_no_deadline(), &plan, NULL);
    if (status != DIFFLNS_OK) return status;
    dl_window_lacam lacam = {.seed = 1, .expansions = 100};
    dl_windows_options windows = {.width = 4, .window_seconds = 1e9, .solver = dl_window_by_lacam, .user = &lacam};
    int64_t before = dl_plan_soc(plan);
    dl_windows_improve(instance, &windows, dl_no_deadline(), &plan, NULL);
    faults_pause();
    if (dl_plan_soc(plan) > before || !dl_check_valid(instance, plan)) status = DIFFLNS_INTERNAL;
    faults_resume();
    dl_plan_free(plan);
    return status;
}

static void windows_leave_the_plan_valid(void **state)
{
    (void)state;
    search_case c = {.make = full_house, .search = shorten};
    assert_true(faults_everywhere(search, &c, 3) > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repair_and_improvement_stop_where_memory_does),
        cmocka_unit_test(repair_ends_where_weights_find_no_memory),
        cmocka_unit_test(a_descent_has_its_best_plan_whenever_memory_ends),
        cmocka_unit_test(rounds_have_their_best_plan_whenever_memory_ends),
        cmocka_unit_test(tables_that_cannot_grow_stay_as_they_are),
        cmocka_unit_test(lacam_hands_back_the_plan_it_has),
        cmocka_unit_test(the_complete_solver_never_claims_what_memory_kept_from_it),
        cmocka_unit_test(windows_leave_the_plan_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

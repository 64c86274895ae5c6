/* Time limits, counted instead of timed: the clock of this program advances by one tick whenever somebody looks at it,
 * so a limit of n ticks must end the work after n looks and a few more, and much work must mean many looks. */
#include <math.h>
#include <stdatomic.h>
#include <time.h>

#include "complete/complete_solver.h"
#include "complete/lower_bound.h"
#include "complete/solvability.h"
#include "diffusion/sampler.h"
#include "generate/generate.h"
#include "lacam/pibt.h"
#include "lacam/pibt_rollout.h"
#include "lacam/windows.h"
#include "lns/improve.h"
#include "lns/prioritized.h"
#include "lns/repair.h"
#include "lns/slack.h"
#include "order/hasten.h"
#include "order/timetable.h"
#include "solver/last_resort.h"
#include "support.h"

static const double TICK = 1e-3;
/* Looks after the end: each loop that is left takes one. */
enum { SLACK = 24 };

static atomic_long looks;

int clock_gettime(clockid_t clock, struct timespec *now)
{
    (void)clock;
    long tick = atomic_fetch_add(&looks, 1);
    *now = (struct timespec){tick / 1000, tick % 1000 * 1000000};
    return 0;
}

/* A limit of so many looks from now on. */
static dl_deadline after_looks(long count)
{
    return (dl_deadline){TICK * (double)(atomic_load(&looks) + count), NULL};
}

typedef struct world {
    dl_instance *instance;
    dl_distance *distance;
    dl_model *model;
} world;

enum { AGENTS = 60, STEPS = 3, LAYERS = 2, HORIZON = 128 };

static int make_world(void **state)
{
    world *w = calloc(1, sizeof *w);
    dl_rng rng = dl_rng_stream(3, DL_PURPOSE('l', 'i', 'm', 'i'), 0);
    dl_config config = dl_config_compact();
    config.network.width = config.network.condition_width = config.network.feed_forward = 16;
    config.network.heads = 2;
    config.network.layers = LAYERS;
    config.network.pyramid_width = 8;
    config.decoding.sampling_steps = STEPS;
    w->instance = test_random_instance(&rng, 12, 12, 0.1, AGENTS);
    if (!w->instance) return -1;
    w->distance = dl_distance_create(w->instance);
    w->model = dl_model_create(&config);
    *state = w;
    return 0;
}

static int free_world(void **state)
{
    world *w = *state;
    dl_model_free(w->model);
    dl_distance_free(w->distance);
    dl_instance_free(w->instance);
    free(w);
    return 0;
}

/* A piece of work under a limit; true if it came to its result. */
typedef bool (*work)(const world *w, dl_deadline deadline);

static bool sample(const world *w, dl_deadline deadline)
{
    dl_scene *scene = dl_scene_create(w->instance);
    dl_sample_options options = dl_sample_defaults(w->model);
    options.threads = 1;
    options.horizon = HORIZON;
    dl_draft draft;
    bool done = dl_sample_drafts(w->model, scene, &options, &deadline, NULL, NULL, &draft, NULL) == DIFFLNS_OK;
    if (done) dl_draft_free(&draft);
    dl_scene_free(scene);
    return done;
}

static bool push_and_swap(const world *w, dl_deadline deadline)
{
    dl_complete_options options = {.seed = 1, .orders = 1, .rules = DL_RULES_MAPF};
    dl_plan *plan;
    bool done = dl_complete_solve(w->instance, NULL, &options, deadline, &plan, NULL) == DIFFLNS_OK;
    dl_plan_free(plan);
    return done;
}

static bool fall_back(const world *w, dl_deadline deadline)
{
    dl_last_resort_options options = {.seed = 1};
    dl_last_resort_result result;
    dl_last_resort_run(w->instance, w->distance, &options, deadline, &result);
    dl_plan_free(result.plan);
    return result.plan != NULL;
}

static bool roll_out(const world *w, dl_deadline deadline)
{
    dl_planner *planner = dl_planner_create(w->instance, w->distance, DL_ENGINE_AUTO);
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('r', 'o', 'l', 'l'), 0);
    bool done = dl_pibt_rollout(planner, &rng, HORIZON, &deadline);
    dl_planner_free(planner);
    return done;
}

static bool prove(const world *w, dl_deadline deadline)
{
    dl_solvability result;
    return dl_solvability_within(w->instance, DL_RULES_MAPF, &deadline, &result);
}

static bool measure(const world *w, dl_deadline deadline)
{
    dl_field field = {0};
    bool done = dl_field_fill(&field, w->instance->grid, 0, &deadline);
    dl_field_free(&field);
    return done;
}

/* The farthest cell of the map there is, as seen from a corner by a search that leans toward that corner. */
static bool measure_when_asked(const world *w, dl_deadline deadline)
{
    atomic_size_t bytes = 0;
    dl_asker asker = {.deadline = deadline};
    dl_reverse_search *search = dl_reverse_search_create(w->instance->grid, 0, 0, &bytes);
    int steps = dl_reverse_search_at(search, w->instance->grid->cells - 1, &asker);
    dl_reverse_search_free(search);
    return steps != DL_UNREACHABLE;
}

static bool guide(const world *w, dl_deadline deadline)
{
    dl_pibt_tables *tables = dl_pibt_tables_create(w->instance, w->distance, &deadline);
    dl_pibt_tables_free(tables);
    return tables != NULL;
}

/* One agent that goes to and fro in a corridor. */
static bool synchronize(const world *w, dl_deadline deadline)
{
    (void)w;
    enum { MOVES = 300000 };
    dl_instance *instance = test_instance("...", 1, (const int[][4]){{0, 0, 0, 1}});
    dl_move *log = calloc(MOVES, sizeof *log);
    static const dl_cell AT[] = {0, 1, 2, 1};
    for (int i = 0; i < MOVES; i++) log[i] = (dl_move){.from = AT[i % 4], .to = AT[(i + 1) % 4]};
    dl_plan *plan = dl_timetable_plan(instance->grid, 1, instance->start, log, MOVES, &deadline);
    dl_plan_free(plan);
    free(log);
    dl_instance_free(instance);
    return plan != NULL;
}

/* Agents that go through a corridor one after the other: each must be on every cell at its own time. */
static bool bound_cost(const world *w, dl_deadline deadline)
{
    (void)w;
    enum { LENGTH = 4000, FOLLOWERS = 10 };
    char rows[LENGTH + 1];
    int tasks[FOLLOWERS][4];
    memset(rows, '.', LENGTH);
    rows[LENGTH] = 0;
    for (int i = 0; i < FOLLOWERS; i++) memcpy(tasks[i], (int[]){0, i, 0, LENGTH - FOLLOWERS + i}, sizeof tasks[i]);
    world corridor = {.instance = test_instance(rows, FOLLOWERS, (const int(*)[4])tasks)};
    corridor.distance = dl_distance_create(corridor.instance);
    int64_t bound = dl_lower_bound(corridor.instance, corridor.distance, &deadline);
    dl_distance_free(corridor.distance);
    dl_instance_free(corridor.instance);
    return bound >= 0;
}

/* Begins a repair anew, while everybody is in the table. */
static bool begin_repair(const world *w, dl_deadline deadline)
{
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('r', 'e', 'p', 'a'), 0);
    dl_planner *planner = dl_planner_create(w->instance, w->distance, DL_ENGINE_AUTO);
    dl_repair repair;
    assert_true(dl_repair_begin(&repair, planner, &DL_REPAIR_DEFAULTS));
    dl_slack_paths(planner, &rng, &(dl_slack){.waits = 0});
    for (int agent = 0; agent < AGENTS; agent++) assert_true(dl_planner_insert(planner, agent));
    bool done = dl_repair_start(&repair, 1, 0, &deadline);
    dl_repair_end(&repair);
    dl_planner_free(planner);
    return done;
}

/* Two agents that go from one corner of a large map to the other, and nothing planned yet. */
static void open_large_world(world *w)
{
    enum { SIDE = 400 };
    static uint8_t blocked[SIDE * SIDE];
    dl_grid *grid;
    const dl_task tasks[] = {{.start = {0, 0}, .goal = {SIDE - 1, SIDE - 1}},
                             {.start = {SIDE - 1, SIDE - 1}, .goal = {0, 0}}};
    assert_int_equal(dl_grid_create(SIDE, SIDE, blocked, &grid, NULL), DIFFLNS_OK);
    assert_int_equal(dl_instance_create(grid, "", "", 2, tasks, &w->instance, NULL), DIFFLNS_OK);
    w->distance = dl_distance_create(w->instance);
}

/* One corridor through the whole map, up and down, of 80,000 cells. */
enum { SERPENTINE = 399 };

static dl_instance *open_serpentine(int agents, const dl_task *tasks)
{
    enum { SIDE = SERPENTINE };
    static uint8_t blocked[SIDE * SIDE];
    dl_grid *grid;
    dl_instance *instance;
    for (int row = 1; row < SIDE; row += 2)
        for (int col = 0; col < SIDE; col++) blocked[row * SIDE + col] = col != (row % 4 == 1 ? SIDE - 1 : 0);
    assert_int_equal(dl_grid_create(SIDE, SIDE, blocked, &grid, NULL), DIFFLNS_OK);
    assert_int_equal(dl_instance_create(grid, "", "", agents, tasks, &instance, NULL), DIFFLNS_OK);
    return instance;
}

static bool lay_long_path(const world *w, dl_deadline deadline)
{
    (void)w;
    enum { LENGTH = 79600, LOOKS = LENGTH / 8192 };
    const dl_task task = {.start = {0, 0}, .goal = {SERPENTINE - 1, 0}};
    dl_instance *instance = open_serpentine(1, &task);
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('s', 'l', 'a', 'c'), 0);
    dl_distance *distance = dl_distance_create(instance);
    dl_planner *planner = dl_planner_create(instance, distance, DL_ENGINE_AUTO);
    dl_slack_paths(planner, &rng, &(dl_slack){.waits = 0}); /* all distances are known now */
    assert_true(planner->track[0].cost > LENGTH);
    long before = atomic_load(&looks);
    dl_slack_paths(planner, &rng, &(dl_slack){.waits = 0, .deadline = &deadline});
    bool looked = atomic_load(&looks) - before >= LOOKS;
    assert_true(planner->track[0].cost > LENGTH || planner->track[0].cost == DL_NO_TRACK);
    dl_planner_free(planner);
    dl_distance_free(distance);
    dl_instance_free(instance);
    return looked;
}

/* An agent that stays for a million steps in the middle of a room: each look at its cell goes over all of them. */
static bool search_around_a_long_stay(const world *w, dl_deadline deadline)
{
    (void)w;
    world room = {.instance = test_instance(".../.../...", 2, (const int[][4]){{0, 0, 2, 2}, {1, 1, 0, 2}})};
    assert_int_equal(dl_instance_set_departure(room.instance, 1, DL_LONGEST_PREFIX, NULL), DIFFLNS_OK);
    room.distance = dl_distance_create(room.instance);
    dl_planner *planner = dl_planner_create(room.instance, room.distance, DL_ENGINE_AUTO);
    dl_distance_until(room.distance, dl_no_deadline());
    assert_true(dl_planner_plan(planner, 0, &DL_SOFT_REQUEST) >= 0); /* distances are known now */
    dl_distance_until(room.distance, deadline);
    long before = atomic_load(&looks);
    bool done = dl_planner_plan(planner, 0, &DL_SOFT_REQUEST) >= 0;
    done = done && atomic_load(&looks) > before;
    dl_planner_free(planner);
    dl_distance_free(room.distance);
    dl_instance_free(room.instance);
    return done;
}

/* Agents that go side by side, each in its own row. */
static dl_planner *open_rows(void)
{
    enum { WIDTH = 20 };
    uint8_t blocked[AGENTS * WIDTH] = {0};
    dl_task tasks[AGENTS];
    dl_grid *grid;
    dl_instance *instance;
    for (int i = 0; i < AGENTS; i++) tasks[i] = (dl_task){.start = {i, 0}, .goal = {i, WIDTH - 1}};
    assert_int_equal(dl_grid_create(AGENTS, WIDTH, blocked, &grid, NULL), DIFFLNS_OK);
    assert_int_equal(dl_instance_create(grid, "", "", AGENTS, tasks, &instance, NULL), DIFFLNS_OK);
    return dl_planner_create(instance, dl_distance_create(instance), DL_ENGINE_AUTO);
}

static void close_rows(dl_planner *planner)
{
    const dl_instance *instance = planner->instance;
    dl_distance *distance = planner->distance;
    dl_planner_free(planner);
    dl_distance_free(distance);
    dl_instance_free((dl_instance *)instance);
}

static bool hasten(const world *w, dl_deadline deadline)
{
    (void)w;
    dl_hasten hastening;
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('h', 'a', 's', 't'), 0);
    dl_planner *planner = open_rows();
    dl_slack_paths(planner, &rng, &(dl_slack){.waits = 0});
    for (int agent = 0; agent < AGENTS; agent++) assert_true(dl_planner_insert(planner, agent));
    assert_true(dl_hasten_begin(&hastening, planner->instance));
    long before = atomic_load(&looks);
    bool fits = dl_hasten_find(&hastening, planner->track, planner->makespan, planner->spare, &deadline) >= 0;
    bool looked = atomic_load(&looks) - before >= 2 * AGENTS;
    dl_hasten_end(&hastening);
    close_rows(planner);
    return fits && looked;
}

/* Two agents that meet in a corridor of 80,000 cells: whether they have to exchange places is asked along all of it. */
static bool step_by_pibt(const world *w, dl_deadline deadline)
{
    (void)w;
    dl_instance *instance = open_serpentine(2, (const dl_task[]){{.start = {0, 0}, .goal = {SERPENTINE - 1, 0}},
                                                                 {.start = {0, 1}, .goal = {SERPENTINE - 1, 1}}});
    dl_distance *distance = dl_distance_create(instance);
    dl_pibt_tables *tables = dl_pibt_tables_create(instance, distance, &deadline);
    dl_pibt pibt;
    dl_cell to[2];
    bool done = false;
    if (tables) {
        assert_true(dl_pibt_init(&pibt, tables, true, dl_rng_stream(1, DL_PURPOSE('p', 'i', 'b', 't'), 0)));
        pibt.deadline = &deadline;
        long before = atomic_load(&looks);
        done = dl_pibt_step(&pibt, instance->start, (const uint16_t[]){0, 1}, NULL, to);
        done = done && atomic_load(&looks) > before;
        dl_pibt_release(&pibt);
    }
    dl_pibt_tables_free(tables);
    dl_distance_free(distance);
    dl_instance_free(instance);
    return done;
}

/* The same in each of many steps. */
static bool roll_out_in_a_corridor(const world *w, dl_deadline deadline)
{
    (void)w;
    enum { TIMES = 40 };
    dl_instance *instance = open_serpentine(2, (const dl_task[]){{.start = {0, 0}, .goal = {SERPENTINE - 1, 0}},
                                                                 {.start = {0, 1}, .goal = {SERPENTINE - 1, 1}}});
    world corridor = {.instance = instance, .distance = dl_distance_create(instance)};
    dl_planner *planner = dl_planner_create(instance, corridor.distance, DL_ENGINE_AUTO);
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('r', 'o', 'l', 'l'), 0);
    bool done = dl_pibt_rollout(planner, &rng, TIMES, &deadline);
    dl_planner_free(planner);
    dl_distance_free(corridor.distance);
    dl_instance_free(instance);
    return done;
}

/* Before each search, and before what it found is entered. */
static bool prioritize(const world *w, dl_deadline deadline)
{
    (void)w;
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('p', 'r', 'i', 'o'), 0);
    dl_planner *planner = open_rows();
    bool done = dl_prioritized(planner, &rng, DL_PRIORITY_RANDOM, DL_UNIFORM, &deadline);
    close_rows(planner);
    return done;
}

/* Repair searches the map for goals in the way of an agent. */
static bool choose_by_target(const world *w, dl_deadline deadline)
{
    enum { TARGET = 1 };
    dl_planner *planner = dl_planner_create(w->instance, w->distance, DL_ENGINE_AUTO);
    dl_repair repair;
    assert_true(dl_repair_begin(&repair, planner, &DL_REPAIR_DEFAULTS));
    assert_true(dl_conflicts_join(&repair.conflicts, 0, 1));
    bool done = dl_destroy_choose(&repair.destroy, TARGET, &deadline);
    dl_repair_end(&repair);
    dl_planner_free(planner);
    return done;
}

/* Improvement searches for those who pass a junction or others near it: here nobody does. */
static bool choose_by_intersection(const world *w, dl_deadline deadline)
{
    enum { INTERSECTION = 1 };
    dl_planner *planner = dl_planner_create(w->instance, w->distance, DL_ENGINE_AUTO);
    dl_improve improve;
    assert_true(dl_improve_begin(&improve, planner, &DL_IMPROVE_DEFAULTS));
    long before = atomic_load(&looks); /* distances were measured before that */
    assert_false(dl_destroy_choose(&improve.destroy, INTERSECTION, &deadline));
    bool done = atomic_load(&looks) - before >= w->instance->grid->cells / DL_LOOK_TURNS;
    dl_improve_end(&improve);
    dl_planner_free(planner);
    return done;
}

/* The same where nothing is measured yet: distances that come too late are not waited for one by one. */
static bool guide_on_a_new_map(const world *w, dl_deadline deadline)
{
    (void)w;
    dl_rng rng = dl_rng_stream(6, DL_PURPOSE('l', 'a', 'r', 'g'), 0);
    world fresh = {.instance = test_random_instance(&rng, 400, 400, 0, 1)};
    fresh.distance = dl_distance_create(fresh.instance);
    dl_distance_until(fresh.distance, deadline);
    bool done = guide(&fresh, deadline);
    dl_distance_free(fresh.distance);
    dl_instance_free(fresh.instance);
    return done;
}

/* A window of LaCAM measures ways of its own. */
static bool resolve_window(const world *w, dl_deadline deadline)
{
    (void)w;
    dl_rng rng = dl_rng_stream(7, DL_PURPOSE('l', 'a', 'r', 'g'), 0);
    dl_instance *instance = test_random_instance(&rng, 400, 400, 0, 1);
    dl_window_lacam lacam = {.seed = 1, .expansions = 100000};
    dl_plan *plan;
    bool done = dl_window_by_lacam(&lacam, instance, deadline, &plan) == DIFFLNS_OK;
    dl_plan_free(plan);
    dl_instance_free(instance);
    return done;
}

/* One agent's path through all cells and times. */
static bool find_likeliest(const world *w, dl_deadline deadline)
{
    enum { LENGTH = 48 };
    static const float nothing[LENGTH * DL_ACTIONS];
    dl_cell cells[LENGTH + 1] = {w->instance->start[0]};
    dl_likeliest *planner = dl_likeliest_create(w->instance->grid);
    const dl_field *distance = dl_distance_acquire(w->distance, 0);
    dl_likeliest_until(planner, &deadline);
    float value = dl_likeliest_path(planner, distance, w->instance->goal[0], LENGTH, nothing,
                                    (dl_likeliest_costs){1, 3, 0}, NULL, cells);
    dl_distance_release(w->distance, 0);
    dl_likeliest_free(planner);
    return value > -INFINITY;
}

/* Decodes everybody in five sweeps within a limit of so many looks. */
static dl_status decode_within(const dl_scene *scene, long limit, dl_cell *cells)
{
    enum { LENGTH = 16, PEOPLE = 10 };
    static float score[PEOPLE * LENGTH * DL_ACTIONS];
    dl_rng rng = dl_rng_stream(4, DL_PURPOSE('s', 'w', 'e', 'p'), 0);
    for (size_t i = 0; i < sizeof score / sizeof *score; i++) score[i] = (float)(-3 * dl_rng_unit(&rng));
    dl_path_rule rule = {.costs = {0.5f, 3, 4}, .sweeps = 5};
    dl_likeliest *planner = dl_likeliest_create(scene->instance->grid);
    dl_deadline deadline = after_looks(limit);
    dl_status status = dl_decode_paths(scene, LENGTH, score, &rule, NULL, planner, &deadline, cells);
    for (int i = 0; status == DIFFLNS_OK && i < PEOPLE; i++) {
        const dl_cell *path = cells + (ptrdiff_t)i * (LENGTH + 1);
        assert_int_equal(path[0], scene->instance->start[i]);
        for (int t = 0; t < LENGTH; t++) {
            bool legal = path[t + 1] == path[t];
            for (int d = 0; d < DL_DIRECTIONS; d++)
                legal = legal || scene->instance->grid->neighbor[path[t]][d] == path[t + 1];
            assert_true(legal);
        }
    }
    dl_likeliest_free(planner);
    return status;
}

/* Time may run out in any later sweep: everybody has had a path since the first. */
static void paths_decoded_in_one_sweep_are_there_whatever_comes_of_the_next(void **state)
{
    (void)state;
    enum { CELLS = 10 * 17 };
    dl_rng rng = dl_rng_stream(3, DL_PURPOSE('s', 'w', 'e', 'p'), 1);
    dl_instance *instance = test_random_instance(&rng, 5, 5, 0.1, 10);
    dl_scene *scene = dl_scene_create(instance);
    dl_cell cells[CELLS], whole[CELLS];
    assert_int_equal(decode_within(scene, 1000000, whole), DIFFLNS_OK);
    bool decoded = false, other = false;
    for (long limit = 0; limit < 60; limit++) {
        dl_status status = decode_within(scene, limit, cells);
        assert_true(status == DIFFLNS_OK || (status == DIFFLNS_STOPPED && !decoded));
        decoded = decoded || status == DIFFLNS_OK;
        other = other || (status == DIFFLNS_OK && memcmp(cells, whole, sizeof cells) != 0);
    }
    assert_true(decoded && other); /* that of fewer sweeps */
    dl_scene_free(scene);
    dl_instance_free(instance);
}

static long looks_of(work do_it, const world *w, dl_deadline deadline, bool *done)
{
    long before = atomic_load(&looks);
    *done = do_it(w, deadline);
    return atomic_load(&looks) - before;
}

/* Whenever the limit comes, the work ends there; with no limit it looks at the clock at least `least` times. */
static void expect_frequent_looks(work do_it, const world *w, long least)
{
    bool done;
    long all = looks_of(do_it, w, after_looks(1000000), &done);
    assert_true(done);
    if (all < least) fail_msg("%ld looks at the clock, expected at least %ld", all, least);
    for (long limit = 0; limit < all; limit += 1 + limit / 5) {
        long used = looks_of(do_it, w, after_looks(limit), &done);
        if (used > limit + SLACK) fail_msg("a limit of %ld looks became %ld", limit, used);
    }
}

static void sampling_looks_at_the_clock_for_every_agent_and_chunk(void **state)
{
    enum { CHUNKS = AGENTS * HORIZON / 512, SUBLAYERS = 4, PER_AGENT = 3 };
    expect_frequent_looks(sample, *state, STEPS * (PER_AGENT * AGENTS + LAYERS * SUBLAYERS * CHUNKS));
}

static void push_and_swap_looks_at_the_clock_for_every_goal(void **state)
{
    expect_frequent_looks(push_and_swap, *state, 2 * AGENTS);
}

/* Rooms with a single free cell: to bring one agent home many are exchanged, and for each pair many places are tried.
 */
static void push_and_swap_looks_at_the_clock_for_every_try(void **state)
{
    (void)state;
    enum { ALL_BUT_ONE = 354 };
    dl_generate_params params;
    dl_generator_scratch scratch = {0};
    world w = {0};
    assert_int_equal(dl_generate_preset("room", &params, NULL), DIFFLNS_OK);
    params.agents = ALL_BUT_ONE;
    assert_int_equal(dl_generate(&params, 2000480, &scratch, &w.instance, NULL), DIFFLNS_OK);
    assert_int_equal(w.instance->grid->cells, ALL_BUT_ONE + 1);
    bool done;
    long all = looks_of(push_and_swap, &w, after_looks(1000000), &done);
    assert_true(done && all >= 50 * ALL_BUT_ONE);
    assert_in_range(looks_of(push_and_swap, &w, after_looks(all / 3), &done), 0, all / 3 + SLACK);
    assert_false(done);
    dl_generator_scratch_free(&scratch);
    dl_instance_free(w.instance);
}

static void a_rollout_looks_at_the_clock_for_every_agent_and_step(void **state)
{
    expect_frequent_looks(roll_out, *state, 2 * AGENTS + HORIZON);
}

/* Two agents on a map of 160,000 cells: what there is to do is to go over the cells, again and again. */
static void work_on_a_large_map_looks_at_the_clock_as_it_goes_over_the_cells(void **state)
{
    (void)state;
    enum { SIDE = 400, LOOKS = SIDE * SIDE / DL_LOOK_TURNS };
    dl_rng rng = dl_rng_stream(5, DL_PURPOSE('l', 'a', 'r', 'g'), 0);
    world w = {.instance = test_random_instance(&rng, SIDE, SIDE, 0, 2)};
    assert_non_null(w.instance);
    w.distance = dl_distance_create(w.instance);
    expect_frequent_looks(prove, &w, 15 * LOOKS);
    expect_frequent_looks(push_and_swap, &w, 20 * LOOKS); /* its arrays are one block */
    expect_frequent_looks(measure, &w, LOOKS);
    expect_frequent_looks(measure_when_asked, &w, LOOKS);
    expect_frequent_looks(guide, &w, LOOKS);
    expect_frequent_looks(guide_on_a_new_map, &w, LOOKS);
    expect_frequent_looks(resolve_window, &w, 2 * LOOKS);
    expect_frequent_looks(find_likeliest, &w, 48 * LOOKS);
    dl_distance_free(w.distance);
    dl_instance_free(w.instance);
}

static void neighborhoods_on_a_large_map_are_chosen_with_an_eye_on_the_clock(void **state)
{
    (void)state;
    enum { LOOKS = 400 * 400 / DL_LOOK_TURNS };
    world w;
    open_large_world(&w);
    expect_frequent_looks(choose_by_target, &w, LOOKS);
    expect_frequent_looks(choose_by_intersection, &w, LOOKS);
    dl_distance_free(w.distance);
    dl_instance_free(w.instance);
}

static void searches_look_at_the_clock_however_few_labels_they_take(void **state)
{
    (void)state;
    expect_frequent_looks(search_around_a_long_stay, NULL, 1);
}

static void long_plans_and_paths_are_gone_over_with_an_eye_on_the_clock(void **state)
{
    expect_frequent_looks(synchronize, *state, 12);
    expect_frequent_looks(bound_cost, *state, 40000 / 1024);
    expect_frequent_looks(begin_repair, *state, 2 * AGENTS);
    expect_frequent_looks(hasten, *state, 2 * AGENTS);
    expect_frequent_looks(prioritize, *state, 2 * AGENTS);
    expect_frequent_looks(step_by_pibt, *state, 1);
    expect_frequent_looks(roll_out_in_a_corridor, *state, 2 * 40);
    expect_frequent_looks(lay_long_path, *state, 1);
}

static void a_path_is_entered_only_if_there_is_time_for_all_its_steps(void **state)
{
    (void)state;
    atomic_int cancel = 1;
    dl_deadline soon = after_looks(10), late = after_looks(0), never = dl_no_deadline(), canceled = {soon.end, &cancel};
    assert_false(dl_planner_is_late_for(&soon, 1000));
    assert_true(dl_planner_is_late_for(&soon, 1000000));
    assert_true(dl_planner_is_late_for(&late, 0));
    assert_true(dl_planner_is_late_for(&canceled, 0));
    assert_false(dl_planner_is_late_for(&never, 1000000));
}

static void the_fallback_ends_with_its_limit(void **state)
{
    bool done;
    for (long limit = 0; limit < 3000; limit += 1 + limit / 5) {
        long used = looks_of(fall_back, *state, after_looks(limit), &done);
        if (used > limit + SLACK) fail_msg("a limit of %ld looks became %ld", limit, used);
    }
}

/* One thread of its own, so that nobody waits for another one and looks at the clock meanwhile. */
static long looks_of_a_solve(const difflns_instance *instance, const difflns_model *model, const char *init, long limit)
{
    difflns_solver *solver;
    difflns_plan *plan;
    difflns_error err;
    assert_int_equal(difflns_solver_create(&solver, &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set_model(solver, model, &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set(solver, "init", init, &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set(solver, "stop", "limit", &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set(solver, "fallback", "off", &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set_number(solver, "threads", 1, &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set_number(solver, "time", TICK * (double)limit, &err), DIFFLNS_OK);
    long before = atomic_load(&looks);
    difflns_status status = difflns_solver_solve(solver, instance, &plan, &err);
    long used = atomic_load(&looks) - before;
    assert_true(status == DIFFLNS_OK || status == DIFFLNS_UNSOLVED);
    difflns_plan_free(plan);
    difflns_solver_free(solver);
    return used;
}

static void a_solve_from_any_start_ends_with_its_limit(void **state)
{
    (void)state;
    static const char *const INIT[] = {"auto", "diffusion", "pp", "pibt", "slack", "paths", "traffic", "lacam"};
    static const struct {
        const char *family;
        int agents;
    } WORLD[] = {{"small-random", 20}, {"small-random", 60}, {"medium-room", 150}};
    difflns_model *model;
    assert_int_equal(difflns_model_load(NULL, &model, NULL), DIFFLNS_OK);
    for (size_t w = 0; w < sizeof WORLD / sizeof WORLD[0]; w++) {
        difflns_instance *instance;
        assert_int_equal(difflns_generate(WORLD[w].family, WORLD[w].agents, 5, &instance, NULL), DIFFLNS_OK);
        for (size_t i = 0; i < sizeof INIT / sizeof INIT[0]; i++)
            for (long limit = 1; limit < 5000; limit = 2 * limit + 7) {
                long used = looks_of_a_solve(instance, model, INIT[i], limit);
                if (used > limit + SLACK)
                    fail_msg("%s: %d agents from %s: a limit of %ld looks became %ld", WORLD[w].family, WORLD[w].agents,
                             INIT[i], limit, used);
            }
        difflns_instance_free(instance);
    }
    difflns_model_free(model);
}

static void a_draft_cut_short_is_decoded_from_its_last_step(void **state)
{
    bool done;
    long all = looks_of(sample, *state, after_looks(1000000), &done);
    looks_of(sample, *state, after_looks(all * 4 / 5), &done);
    assert_true(done);
    looks_of(sample, *state, after_looks(all / 10), &done);
    assert_false(done);
}

static void drafts_that_would_take_too_much_memory_are_refused(void **state)
{
    const world *w = *state;
    dl_error err;
    assert_int_equal(dl_sample_check_memory(w->model, w->instance, 0, 1, &err), DIFFLNS_OK);
    assert_int_equal(dl_sample_check_memory(w->model, w->instance, 0, 100000, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "more than the limit of 2048 MB"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_decoded_in_one_sweep_are_there_whatever_comes_of_the_next),
        cmocka_unit_test(sampling_looks_at_the_clock_for_every_agent_and_chunk),
        cmocka_unit_test(push_and_swap_looks_at_the_clock_for_every_goal),
        cmocka_unit_test(push_and_swap_looks_at_the_clock_for_every_try),
        cmocka_unit_test(a_rollout_looks_at_the_clock_for_every_agent_and_step),
        cmocka_unit_test(work_on_a_large_map_looks_at_the_clock_as_it_goes_over_the_cells),
        cmocka_unit_test(neighborhoods_on_a_large_map_are_chosen_with_an_eye_on_the_clock),
        cmocka_unit_test(searches_look_at_the_clock_however_few_labels_they_take),
        cmocka_unit_test(long_plans_and_paths_are_gone_over_with_an_eye_on_the_clock),
        cmocka_unit_test(a_path_is_entered_only_if_there_is_time_for_all_its_steps),
        cmocka_unit_test(the_fallback_ends_with_its_limit),
        cmocka_unit_test(a_solve_from_any_start_ends_with_its_limit),
        cmocka_unit_test(a_draft_cut_short_is_decoded_from_its_last_step),
        cmocka_unit_test(drafts_that_would_take_too_much_memory_are_refused),
    };
    return cmocka_run_group_tests(tests, make_world, free_world);
}

/* The registry of starts: its rows, which one auto takes, what is refused, what each makes. */
#include <string.h>

#include "base/choice.h"
#include "start/start.h"
#include "support.h"

static void every_row_has_a_name_of_its_own_and_a_choice(void **state)
{
    (void)state;
    int rows = 0;
    for (; dl_start_at(rows); rows++) {
        const dl_start *start = dl_start_at(rows);
        assert_ptr_equal(dl_start_find(start->name), start);
        assert_int_equal(dl_choice_index(DL_START_CHOICES, start->name), rows + 1);
        assert_non_null(start->make);
    }
    assert_int_equal(dl_choice_index(DL_START_CHOICES, DL_START_AUTO), 0);
    assert_int_equal(dl_choice_count(DL_START_CHOICES), rows + 1);
    assert_null(dl_start_find("nothing"));
}

/* The order measured best in docs/ablation.md; drafts take their turn only where there is a network. */
static void auto_takes_turns(void **state)
{
    (void)state;
    static const char *const WITHOUT[] = {"pp", "pibt", "pp", "pibt", "pp"};
    static const char *const WITH[] = {"pp", "pibt", "diffusion", "pp", "pibt"};
    dl_start_input without = {0}, with = {.model = (const struct difflns_model *)&without};
    for (int i = 0; i < 5; i++) {
        assert_string_equal(dl_start_of(0, &without, i)->name, WITHOUT[i]);
        assert_string_equal(dl_start_of(0, &with, i)->name, WITH[i]);
        assert_string_equal(dl_start_of(dl_choice_index(DL_START_CHOICES, "paths"), &with, i)->name, "paths");
    }
}

/* Where prioritized planning would take long, a plan of LaCAM's comes before it; not where iterations are limited, nor
 * on boards, nor where somebody asked for a start. */
static void auto_begins_with_lacam_in_a_crowd_on_a_map_that_is_not_small(void **state)
{
    (void)state;
    static const char *const TURNS[] = {"lacam", "pp", "pibt", "pp", "pibt"};
    dl_rng rng = dl_rng_stream(5, DL_PURPOSE('t', 'e', 's', 't'), 0);
    dl_instance *crowd = test_random_instance(&rng, 70, 70, 0, 300), *few = test_random_instance(&rng, 70, 70, 0, 200);
    dl_instance *board = test_random_instance(&rng, 30, 30, 0, 300);
    dl_start_input input = {.instance = crowd};
    for (int i = 0; i < 5; i++) {
        assert_string_equal(dl_start_of(0, &input, i)->name, TURNS[i]);
        assert_int_equal(dl_start_turn(&input, i), i > 0 ? i - 1 : 0);
    }
    input.choice = dl_choice_index(DL_START_CHOICES, "pp");
    assert_false(dl_start_begins_with_lacam(&input));
    assert_false(dl_start_begins_with_lacam(&(dl_start_input){.instance = crowd, .iterations = 1}));
    assert_false(dl_start_begins_with_lacam(&(dl_start_input){.instance = few}));
    assert_false(dl_start_begins_with_lacam(&(dl_start_input){.instance = board}));
    dl_instance_free(crowd);
    dl_instance_free(few);
    dl_instance_free(board);
}

static void a_start_without_what_it_needs_is_refused(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("..", 1, (const int[][4]){{0, 0, 0, 1}});
    dl_start_input input = {.instance = instance};
    dl_error err;
    assert_int_equal(dl_start_check(dl_choice_index(DL_START_CHOICES, "diffusion"), &input, 1, &err),
                     DIFFLNS_BAD_INPUT);
    assert_string_equal(err.message, "init diffusion needs a model");
    int plan = dl_choice_index(DL_START_CHOICES, "plan");
    assert_int_equal(dl_start_check(plan, &input, 1, &err), DIFFLNS_BAD_INPUT);
    assert_string_equal(err.message, "init plan needs a plan to start from");
    dl_plan *other = dl_plan_create(2);
    input.plan = other;
    assert_int_equal(dl_start_check(plan, &input, 1, &err), DIFFLNS_BAD_INPUT);
    assert_string_equal(err.message, "the plan to start from has 2 agents: expected 1");
    assert_int_equal(dl_start_check(0, &input, 1, &err), DIFFLNS_OK);
    dl_plan_free(other);
    dl_instance_free(instance);
}

/* ---- making them ---- */

enum { AGENTS = 25, CANDIDATES = 3 };

typedef struct world {
    dl_instance *instance;
    dl_distance *distance;
    dl_planner *planner, *other;
    dl_start_input input;
    dl_starts *starts;
} world;

static void open_world(world *w, const dl_plan *plan)
{
    dl_rng rng = dl_rng_stream(7, DL_PURPOSE('s', 't', 'r', 't'), 0);
    w->instance = test_random_instance(&rng, 10, 10, 0.15, AGENTS);
    assert_non_null(w->instance);
    w->distance = dl_distance_create(w->instance);
    w->planner = dl_planner_create(w->instance, w->distance, DL_ENGINE_AUTO);
    w->other = dl_planner_create(w->instance, w->distance, DL_ENGINE_AUTO);
    w->input = (dl_start_input){.instance = w->instance, .distance = w->distance, .seed = 11, .plan = plan};
    w->starts = dl_starts_create(&w->input);
}

static void close_world(world *w)
{
    dl_starts_free(w->starts);
    dl_planner_free(w->planner);
    dl_planner_free(w->other);
    dl_distance_free(w->distance);
    dl_instance_free(w->instance);
}

/* A track is missing, or leads from start to goal by legal steps. How many there are. */
static int count_legal_tracks(const dl_planner *p)
{
    int count = 0;
    for (int agent = 0; agent < p->instance->agents; agent++) {
        const dl_track *track = &p->track[agent];
        if (track->cost == DL_NO_TRACK) continue;
        assert_int_equal(track->at[0], p->instance->start[agent]);
        assert_int_equal(track->at[track->cost], p->instance->goal[agent]);
        for (int t = 0; t < track->cost; t++) {
            const dl_cell *next = p->instance->grid->neighbor[track->at[t]];
            dl_cell to = track->at[t + 1];
            assert_true(to == track->at[t] || to == next[0] || to == next[1] || to == next[2] || to == next[3]);
        }
        count++;
    }
    return count;
}

static bool same_tracks(const dl_planner *a, const dl_planner *b)
{
    for (int agent = 0; agent < AGENTS; agent++)
        if (!dl_track_equal(&a->track[agent], &b->track[agent])) return false;
    return true;
}

static void every_start_makes_legal_paths_that_depend_on_the_candidate_alone(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline();
    for (int row = 0; dl_start_at(row); row++) {
        const dl_start *start = dl_start_at(row);
        if (start->needs != DL_START_NEEDS_NOTHING) continue;
        world w;
        open_world(&w, NULL);
        int different = 0;
        for (int index = 0; index < CANDIDATES; index++) {
            assert_true(dl_start_make(start, w.starts, w.planner, index, NULL, &never));
            assert_true(count_legal_tracks(w.planner) > 0); /* prioritized planning may leave many to repair */
            for (int before = 0; before <= index; before++) /* the other one has been elsewhere meanwhile */
                assert_true(dl_start_make(start, w.starts, w.other, before, NULL, &never));
            assert_true(same_tracks(w.planner, w.other));
            assert_true(dl_start_make(start, w.starts, w.other, index + 1, NULL, &never));
            different += !same_tracks(w.planner, w.other);
        }
        if (different == 0) fail_msg("all candidates of %s are the same", start->name);
        close_world(&w);
    }
}

static void a_given_plan_is_the_start_and_paths_that_are_none_are_missing(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline();
    world w;
    open_world(&w, NULL);
    assert_true(dl_start_make(dl_start_find("paths"), w.starts, w.planner, 0, NULL, &never));
    for (int agent = 0; agent < AGENTS; agent++) assert_true(dl_planner_insert(w.planner, agent));
    dl_plan *plan = dl_planner_write_plan(w.planner);
    assert_non_null(plan);
    plan->path[3].at[0] = dl_grid_position(w.instance->grid, w.instance->start[4]); /* another one's start */
    w.input.plan = plan;
    dl_starts *given = dl_starts_create(&w.input);
    assert_true(dl_start_make(dl_start_find("plan"), given, w.other, 0, NULL, &never));
    assert_int_equal(count_legal_tracks(w.other), AGENTS - 1);
    for (int agent = 0; agent < AGENTS; agent++)
        assert_true(dl_track_equal(&w.planner->track[agent], &w.other->track[agent]) == (agent != 3));
    dl_starts_free(given);
    dl_plan_free(plan);
    close_world(&w);
}

static void without_time_a_start_leaves_what_it_has(void **state)
{
    (void)state;
    dl_deadline passed = {0, NULL};
    for (int row = 0; dl_start_at(row); row++) {
        const dl_start *start = dl_start_at(row);
        if (start->needs != DL_START_NEEDS_NOTHING) continue;
        world w;
        open_world(&w, NULL);
        (void)dl_start_make(start, w.starts, w.planner, 0, NULL, &passed);
        assert_true(count_legal_tracks(w.planner) < AGENTS);
        assert_false(w.planner->exhausted);
        close_world(&w);
    }
}

static void the_length_of_ways_is_measured(void **state)
{
    (void)state;
    dl_deadline never = dl_no_deadline(), passed = {0, NULL};
    dl_instance *instance = test_instance("......", 2, (const int[][4]){{0, 0, 0, 1}, {0, 2, 0, 5}});
    dl_distance *distance = dl_distance_create(instance);
    dl_planner *planner = dl_planner_create(instance, distance, DL_ENGINE_AUTO);
    dl_start_lengths found = dl_start_measure(planner, &never);
    assert_int_equal(found.longest, 3);
    assert_true(found.mean == 2);
    assert_int_equal(dl_start_measure(planner, &passed).longest, 0);
    dl_planner_free(planner);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

/* A draft leads from the end of the prefix to the first goal left: the prefix comes before it, the other goals after.
 */
static void a_draft_ahead_follows_the_prefix_and_goes_on_over_the_goals(void **state)
{
    (void)state;
    dl_instance *instance = test_instance("...../.....", 2, (const int[][4]){{0, 0, 0, 4}, {1, 0, 1, 1}});
    const difflns_cell prefix[] = {{0, 0}, {0, 0}, {0, 1}}, goals[] = {{0, 2}, {1, 4}, {0, 4}};
    const dl_cell draft[] = {dl_grid_cell(instance->grid, 0, 1), dl_grid_cell(instance->grid, 0, 2)};
    const dl_cell other[] = {dl_grid_cell(instance->grid, 1, 0), dl_grid_cell(instance->grid, 1, 1)};
    const int expected[][2] = {{0, 0}, {0, 0}, {0, 1}, {0, 2}, {-1, -1}, {-1, -1}, {1, 4}, {0, 4}}; /* -1: any */
    assert_int_equal(dl_instance_set_prefix(instance, 0, prefix, 3, NULL), DIFFLNS_OK);
    assert_int_equal(dl_instance_set_goals(instance, 0, goals, 3, NULL), DIFFLNS_OK);
    dl_distance *distance = dl_distance_create(instance);
    dl_planner *planner = dl_planner_create(instance, distance, DL_ENGINE_AUTO);
    dl_plan *plan = dl_plan_create(2);
    assert_true(dl_plan_set(plan, instance->grid, 0, draft, 2) && dl_plan_set(plan, instance->grid, 1, other, 2));
    dl_start_read_ahead(planner, plan);
    const dl_track *track = &planner->track[0];
    assert_int_equal(track->cost, 7);
    for (int t = 0; t <= track->cost; t++) {
        difflns_cell at = dl_grid_position(instance->grid, track->at[t]);
        if (expected[t][0] >= 0) assert_int_equal(at.row, expected[t][0]);
        if (expected[t][1] >= 0) assert_int_equal(at.col, expected[t][1]);
    }
    assert_int_equal(planner->track[1].cost, 1);
    dl_plan_free(plan);
    dl_planner_free(planner);
    dl_distance_free(distance);
    dl_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_a_name_of_its_own_and_a_choice),
        cmocka_unit_test(auto_takes_turns),
        cmocka_unit_test(auto_begins_with_lacam_in_a_crowd_on_a_map_that_is_not_small),
        cmocka_unit_test(a_start_without_what_it_needs_is_refused),
        cmocka_unit_test(every_start_makes_legal_paths_that_depend_on_the_candidate_alone),
        cmocka_unit_test(a_given_plan_is_the_start_and_paths_that_are_none_are_missing),
        cmocka_unit_test(without_time_a_start_leaves_what_it_has),
        cmocka_unit_test(the_length_of_ways_is_measured),
        cmocka_unit_test(a_draft_ahead_follows_the_prefix_and_goes_on_over_the_goals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

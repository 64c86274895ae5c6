/* The public interface as a stranger meets it: files and memory, bulk arrays, and arguments that make no sense. */
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "difflns.h"

static const char MAP[] = "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n";
static const char SCEN[] = "version 1\n0\tm.map\t4\t3\t0\t0\t3\t2\t5\n0\tm.map\t4\t3\t3\t2\t0\t0\t5\n";

static difflns_instance *small_instance(void)
{
    difflns_instance *instance;
    difflns_error err;
    difflns_status status =
        difflns_instance_parse(MAP, sizeof MAP - 1, NULL, SCEN, sizeof SCEN - 1, NULL, 0, &instance, &err);
    if (status != DIFFLNS_OK) fail_msg("%s", err.message);
    return instance;
}

/* Both agents go clockwise round the wall. */
static const int32_t POSITIONS[6][2][2] = {{{0, 0}, {2, 3}}, {{0, 1}, {2, 2}}, {{0, 2}, {2, 1}},
                                           {{0, 3}, {2, 0}}, {{1, 3}, {1, 0}}, {{2, 3}, {0, 0}}};

static difflns_plan *small_plan(void)
{
    difflns_plan *plan;
    assert_int_equal(difflns_plan_from_positions(2, 6, &POSITIONS[0][0][0], &plan, NULL), DIFFLNS_OK);
    return plan;
}

static void an_instance_comes_from_memory(void **state)
{
    (void)state;
    difflns_instance *instance = small_instance();
    assert_int_equal(difflns_instance_agents(instance), 2);
    assert_int_equal(difflns_instance_height(instance), 3);
    assert_int_equal(difflns_instance_width(instance), 4);
    assert_true(difflns_instance_blocked(instance, 1, 1) && !difflns_instance_blocked(instance, 1, 0));
    assert_int_equal(difflns_instance_sum_of_distances(instance), 10);
    difflns_instance_free(instance);

    difflns_error err;
    assert_int_equal(difflns_instance_parse("nonsense", 8, NULL, SCEN, sizeof SCEN - 1, NULL, 0, &instance, &err),
                     DIFFLNS_BAD_INPUT);
    assert_null(instance);
    assert_non_null(strstr(err.message, "map:1"));
    assert_int_equal(difflns_instance_parse(MAP, sizeof MAP - 1, NULL, SCEN, sizeof SCEN - 1, NULL, 3, &instance, &err),
                     DIFFLNS_BAD_INPUT);
}

static void positions_go_in_and_out_in_bulk(void **state)
{
    (void)state;
    difflns_plan *plan = small_plan();
    assert_int_equal(difflns_plan_soc(plan), 10);
    assert_int_equal(difflns_plan_makespan(plan), 5);
    int32_t out[8][2][2];
    assert_int_equal(difflns_plan_positions(plan, 0, 6, &out[0][0][0], NULL), DIFFLNS_OK);
    assert_memory_equal(out, POSITIONS, sizeof POSITIONS);
    assert_int_equal(difflns_plan_positions(plan, 4, 8, &out[0][0][0], NULL), DIFFLNS_OK);
    assert_memory_equal(out[0], POSITIONS[4], 2 * sizeof POSITIONS[4]);
    for (int t = 2; t < 8; t++) assert_memory_equal(out[t], POSITIONS[5], sizeof POSITIONS[5]); /* at rest */
    difflns_plan_free(plan);
}

static void every_format_survives_memory(void **state)
{
    (void)state;
    difflns_instance *instance = small_instance();
    difflns_plan *plan = small_plan();
    for (int format = DIFFLNS_FORMAT_JSON; format <= DIFFLNS_FORMAT_TRACKER; format++) {
        char *text;
        size_t size;
        difflns_error err;
        if (difflns_plan_print(instance, plan, (difflns_format)format, &text, &size, &err) != DIFFLNS_OK)
            fail_msg("format %d: %s", format, err.message);
        assert_int_equal(strlen(text), size);
        difflns_plan *again;
        if (difflns_plan_parse(instance, text, size, DIFFLNS_ORDER_AUTO, &again, &err) != DIFFLNS_OK)
            fail_msg("format %d: %s", format, err.message);
        int32_t out[6][2][2];
        assert_int_equal(difflns_plan_positions(again, 0, 6, &out[0][0][0], NULL), DIFFLNS_OK);
        assert_memory_equal(out, POSITIONS, sizeof POSITIONS);
        difflns_plan_free(again);
        difflns_text_free(text);
    }
    char *text;
    assert_int_equal(difflns_plan_print(instance, plan, (difflns_format)99, &text, NULL, NULL), DIFFLNS_BAD_INPUT);
    assert_null(text);
    difflns_plan_free(plan);
    difflns_instance_free(instance);
}

static void the_page_comes_as_text(void **state)
{
    (void)state;
    difflns_instance *instance = small_instance();
    difflns_plan *plan = small_plan();
    char *text;
    size_t size;
    assert_int_equal(difflns_page_print(instance, plan, "One", NULL, NULL, &text, &size, NULL), DIFFLNS_OK);
    assert_int_equal(strlen(text), size);
    assert_non_null(strstr(text, "</html>"));
    difflns_text_free(text);
    difflns_plan_free(plan);
    difflns_instance_free(instance);
}

static void the_checker_says_how_far_a_plan_is_safe(void **state)
{
    (void)state;
    difflns_instance *instance = small_instance();
    int32_t positions[6][2][2];
    memcpy(positions, POSITIONS, sizeof POSITIONS);
    difflns_plan *plan = small_plan();
    int64_t violations;
    int time;
    assert_int_equal(difflns_plan_check(instance, plan, NULL, 0, &violations, NULL), DIFFLNS_OK);
    assert_int_equal(violations, 0);
    assert_int_equal(difflns_plan_safe_time(instance, plan, &time, NULL), DIFFLNS_OK);
    assert_int_equal(time, 5);
    difflns_plan_free(plan);

    positions[3][1][0] = 1; /* agent 1 steps onto the wall at time 3 */
    positions[3][1][1] = 1;
    assert_int_equal(difflns_plan_from_positions(2, 6, &positions[0][0][0], &plan, NULL), DIFFLNS_OK);
    difflns_violation list[4];
    assert_int_equal(difflns_plan_check(instance, plan, list, 4, &violations, NULL), DIFFLNS_OK);
    assert_true(violations > 0);
    assert_int_equal(list[0].kind, DIFFLNS_OBSTACLE);
    assert_int_equal(difflns_plan_safe_time(instance, plan, &time, NULL), DIFFLNS_OK);
    assert_int_equal(time, 2);
    difflns_plan_free(plan);
    difflns_instance_free(instance);
}

static void generated_instances_repeat(void **state)
{
    (void)state;
    int families = 0;
    while (difflns_family_name(families)) families++;
    assert_true(families >= 5);
    for (int i = 0; i < families; i++) {
        difflns_instance *one, *other;
        assert_int_equal(difflns_generate(difflns_family_name(i), 12, 7, &one, NULL), DIFFLNS_OK);
        assert_int_equal(difflns_generate(difflns_family_name(i), 12, 7, &other, NULL), DIFFLNS_OK);
        for (int agent = 0; agent < 12; agent++) {
            difflns_cell a = difflns_instance_goal(one, agent), b = difflns_instance_goal(other, agent);
            assert_true(a.row == b.row && a.col == b.col);
        }
        difflns_instance_free(one);
        difflns_instance_free(other);
    }
    difflns_instance *none;
    assert_int_equal(difflns_generate("swamp", 12, 7, &none, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_generate("small-random", -1, 7, &none, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_generate("small-random", 1 << 30, 7, &none, NULL), DIFFLNS_BAD_INPUT);
    assert_null(none);
    assert_null(difflns_family_name(-1));
}

static void a_map_is_shared_and_keeps_its_distances(void **state)
{
    (void)state;
    difflns_map *map;
    difflns_error err;
    assert_int_equal(difflns_map_parse(MAP, sizeof MAP - 1, NULL, &map, &err), DIFFLNS_OK);
    assert_int_equal(difflns_map_height(map), 3);
    assert_int_equal(difflns_map_width(map), 4);
    assert_int_equal(difflns_map_free_cells(map), 10);
    assert_true(difflns_map_blocked(map, 1, 2) && !difflns_map_blocked(map, 0, 2) && difflns_map_blocked(map, 3, 0));
    assert_int_equal(difflns_map_memory(map), 0);
    assert_int_equal(difflns_map_distance(map, (difflns_cell){0, 1}, (difflns_cell){2, 1}), 4);
    assert_int_equal(difflns_map_distance(map, (difflns_cell){0, 1}, (difflns_cell){1, 1}), -1);
    assert_true(difflns_map_memory(map) > 0);
    char *text;
    size_t size;
    assert_int_equal(difflns_map_print(map, &text, &size, &err), DIFFLNS_OK);
    assert_string_equal(text, MAP);
    difflns_text_free(text);

    const difflns_cell starts[2] = {{0, 0}, {2, 3}}, goals[2] = {{2, 3}, {0, 0}};
    difflns_instance *one, *other;
    assert_int_equal(difflns_instance_create_on(map, 2, starts, goals, &one, &err), DIFFLNS_OK);
    assert_int_equal(difflns_instance_create_on(map, 2, goals, starts, &other, &err), DIFFLNS_OK);
    assert_ptr_equal(difflns_instance_map(one), map);
    difflns_map_free(map); /* the instances keep it */
    assert_int_equal(difflns_instance_sum_of_distances(one), 10);
    size_t kept = difflns_map_memory(difflns_instance_map(one));
    assert_int_equal(difflns_instance_sum_of_distances(other), 10); /* the same goals, so the same fields */
    assert_int_equal(difflns_map_memory(difflns_instance_map(other)), kept);
    assert_int_equal(difflns_map_limit_memory(difflns_instance_map(one), 0, &err), DIFFLNS_OK);
    assert_int_equal(difflns_map_memory(difflns_instance_map(one)), 0);
    assert_int_equal(difflns_instance_print(one, &text, &size, &err), DIFFLNS_OK);
    difflns_instance *again;
    assert_int_equal(difflns_instance_parse(MAP, sizeof MAP - 1, NULL, text, size, NULL, 0, &again, &err), DIFFLNS_OK);
    assert_int_equal(difflns_instance_goal(again, 0).col, 3);
    difflns_text_free(text);
    difflns_instance_free(again);
    difflns_instance_free(one);
    difflns_instance_free(other);

    assert_int_equal(difflns_map_parse(MAP, 10, NULL, &map, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_map_parse(NULL, 10, NULL, &map, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_map_load(NULL, NULL, &map, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_map_create(0, 4, (const uint8_t *)MAP, &map, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_map_create(1, 4, NULL, &map, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_map_print(NULL, &text, NULL, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_map_limit_memory(NULL, 0, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_map_height(NULL), -1);
    assert_int_equal(difflns_map_memory(NULL), 0);
    assert_int_equal(difflns_map_distance(NULL, starts[0], goals[0]), -1);
    assert_true(difflns_map_blocked(NULL, 0, 0));
    assert_null(difflns_instance_map(NULL));
    difflns_map_free(NULL);
}

static bool nowhere(difflns_cell cell)
{
    return cell.row == -1 && cell.col == -1;
}

static void accessors_answer_nonsense_with_nothing(void **state)
{
    (void)state;
    difflns_instance *instance = small_instance();
    difflns_plan *plan = small_plan();
    for (int agent = -1; agent <= 2; agent += 3) {
        assert_true(nowhere(difflns_instance_start(instance, agent)));
        assert_true(nowhere(difflns_instance_goal(instance, agent)));
        assert_true(nowhere(difflns_plan_at(plan, agent, 0)));
        assert_int_equal(difflns_plan_length(plan, agent), -1);
    }
    assert_true(nowhere(difflns_plan_at(plan, 0, -1)));
    assert_int_equal(difflns_plan_at(plan, 0, 1 << 30).col, 3); /* long at rest */
    assert_true(difflns_instance_blocked(instance, -1, 0) && difflns_instance_blocked(instance, 0, 99));
    assert_true(nowhere(difflns_instance_start(NULL, 0)) && nowhere(difflns_plan_at(NULL, 0, 0)));
    assert_true(difflns_instance_blocked(NULL, 0, 0));
    assert_int_equal(difflns_instance_agents(NULL), -1);
    assert_int_equal(difflns_instance_height(NULL), -1);
    assert_int_equal(difflns_instance_width(NULL), -1);
    assert_int_equal(difflns_instance_sum_of_distances(NULL), -1);
    assert_int_equal(difflns_plan_agents(NULL), -1);
    assert_int_equal(difflns_plan_soc(NULL), -1);
    assert_int_equal(difflns_plan_makespan(NULL), -1);
    assert_int_equal(difflns_drafts_count(NULL), -1);
    assert_null(difflns_drafts_plan(NULL, 0));
    assert_null(difflns_drafts_log_probability(NULL, 0, NULL, NULL));
    assert_null(difflns_model_card(NULL));
    assert_string_equal(difflns_status_name((difflns_status)99), "unknown");
    assert_string_equal(difflns_violation_name((difflns_violation_kind)99), "unknown");
    difflns_instance_free(NULL);
    difflns_plan_free(NULL);
    difflns_model_free(NULL);
    difflns_drafts_free(NULL);
    difflns_text_free(NULL);
    difflns_plan_free(plan);
    difflns_instance_free(instance);
}

static void null_is_refused_with_a_line(void **state)
{
    (void)state;
    difflns_instance *instance = small_instance(), *no_instance;
    difflns_plan *plan = small_plan(), *no_plan;
    difflns_model *no_model;
    difflns_drafts *no_drafts;
    difflns_error err = {0};
    char *text;
    int64_t violations;
    int time;
    const difflns_cell cell = {0, 0};
    const uint8_t blocked = 0;
    const int32_t one = 1;
#define REFUSED(call)                                                                                                  \
    do {                                                                                                               \
        err.message[0] = 0;                                                                                            \
        assert_int_equal(call, DIFFLNS_BAD_INPUT);                                                                     \
        assert_true(err.message[0] != 0 && err.status == DIFFLNS_BAD_INPUT);                                           \
    } while (0)
    REFUSED(difflns_instance_load(NULL, "x", 0, &no_instance, &err));
    REFUSED(difflns_instance_load("x", NULL, 0, &no_instance, &err));
    REFUSED(difflns_instance_load("x", "x", 0, NULL, &err));
    REFUSED(difflns_instance_load("x", "x", -1, &no_instance, &err));
    REFUSED(difflns_instance_load_named(NULL, NULL, "x", NULL, 0, &no_instance, &err));
    REFUSED(difflns_instance_parse(NULL, 0, NULL, SCEN, 1, NULL, 0, &no_instance, &err));
    REFUSED(difflns_instance_create(1, 1, NULL, 1, &cell, &cell, &no_instance, &err));
    REFUSED(difflns_instance_create(1, 1, &blocked, 1, NULL, &cell, &no_instance, &err));
    REFUSED(difflns_instance_create(1, 1, &blocked, 1, &cell, NULL, &no_instance, &err));
    REFUSED(difflns_instance_create(1, 1, &blocked, 0, &cell, &cell, &no_instance, &err));
    REFUSED(difflns_instance_create(-1, 1, &blocked, 1, &cell, &cell, &no_instance, &err));
    REFUSED(difflns_generate(NULL, 1, 1, &no_instance, &err));
    REFUSED(difflns_plan_read(NULL, "x", &no_plan, &err));
    REFUSED(difflns_plan_read(instance, NULL, &no_plan, &err));
    REFUSED(difflns_plan_parse(instance, NULL, 0, DIFFLNS_ORDER_AUTO, &no_plan, &err));
    REFUSED(difflns_plan_create(1, NULL, &cell, &no_plan, &err));
    REFUSED(difflns_plan_create(1, &one, NULL, &no_plan, &err));
    REFUSED(difflns_plan_create(-1, &one, &cell, &no_plan, &err));
    REFUSED(difflns_plan_from_positions(1, 0, &one, &no_plan, &err));
    REFUSED(difflns_plan_from_positions(1, 1, NULL, &no_plan, &err));
    REFUSED(difflns_plan_write(instance, NULL, DIFFLNS_FORMAT_JSON, "x", &err));
    REFUSED(difflns_plan_write(instance, plan, DIFFLNS_FORMAT_JSON, NULL, &err));
    REFUSED(difflns_plan_print(NULL, plan, DIFFLNS_FORMAT_JSON, &text, NULL, &err));
    REFUSED(difflns_plan_print(instance, plan, DIFFLNS_FORMAT_JSON, NULL, NULL, &err));
    REFUSED(difflns_plan_positions(plan, -1, 1, &(int32_t){0}, &err));
    REFUSED(difflns_plan_positions(plan, 0, 1, NULL, &err));
    REFUSED(difflns_plan_check(NULL, plan, NULL, 0, &violations, &err));
    REFUSED(difflns_plan_check(instance, NULL, NULL, 0, &violations, &err));
    REFUSED(difflns_plan_check(instance, plan, NULL, 0, NULL, &err));
    REFUSED(difflns_plan_safe_time(instance, NULL, &time, &err));
    REFUSED(difflns_model_load("x", NULL, &err));
    REFUSED(difflns_model_parse(NULL, 1, &no_model, &err));
    REFUSED(difflns_model_parse("x", 1, &no_model, &err));
    REFUSED(difflns_sample(NULL, instance, 1, 1, 0, 0, 1, &no_drafts, &err));
    REFUSED(difflns_page_print(instance, NULL, NULL, NULL, NULL, &text, NULL, &err));
    REFUSED(difflns_page_write(NULL, plan, NULL, NULL, NULL, "-", &err));
    REFUSED(difflns_page_write(instance, plan, NULL, NULL, NULL, NULL, &err));
#undef REFUSED
    difflns_plan_free(plan);
    difflns_instance_free(instance);
}

static void drafts_are_drawn_through_the_interface(void **state)
{
    (void)state;
    difflns_instance *instance;
    difflns_model *model;
    difflns_error err;
    assert_int_equal(difflns_generate("small-random", 8, 3, &instance, NULL), DIFFLNS_OK);
    if (difflns_model_load(NULL, &model, &err) != DIFFLNS_OK) {
        difflns_instance_free(instance);
        skip();
    }
    assert_non_null(difflns_model_card(model));
    difflns_drafts *drafts, *none;
    assert_int_equal(difflns_sample(model, instance, 2, 5, 2, 32, 1, &drafts, &err), DIFFLNS_OK);
    assert_int_equal(difflns_drafts_count(drafts), 2);
    int horizon, tokens;
    const float *log_probability = difflns_drafts_log_probability(drafts, 1, &horizon, &tokens);
    assert_int_equal(horizon, 32);
    for (int i = 0; i < 8 * horizon * tokens; i++) assert_true(log_probability[i] <= 1e-5F);
    for (int i = 0; i < 2; i++) {
        difflns_violation list[512];
        int64_t violations;
        const difflns_plan *plan = difflns_drafts_plan(drafts, i);
        assert_int_equal(difflns_plan_check(instance, plan, list, 512, &violations, NULL), DIFFLNS_OK);
        for (int64_t k = 0; k < violations && k < 512; k++)
            assert_true(list[k].kind == DIFFLNS_VERTEX || list[k].kind == DIFFLNS_SWAP);
    }
    assert_null(difflns_drafts_plan(drafts, 2));
    difflns_drafts_free(drafts);
    assert_int_equal(difflns_sample(model, instance, 0, 5, 0, 0, 1, &none, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_sample(model, instance, 1, 5, -1, 0, 1, &none, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_sample(model, instance, 1, 5, 0, -3, 1, &none, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_sample(model, instance, 1, 5, 0, 0, -1, &none, &err), DIFFLNS_BAD_INPUT);
    difflns_model_free(model);
    difflns_instance_free(instance);
}

/* ---- a solver ---- */

static difflns_solver *new_solver(const char *iterations)
{
    difflns_solver *solver;
    difflns_error err;
    assert_int_equal(difflns_solver_create(&solver, &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set(solver, "iterations", iterations, &err), DIFFLNS_OK);
    return solver;
}

static void options_are_set_by_name_and_read_back(void **state)
{
    (void)state;
    difflns_solver *solver = new_solver("100");
    difflns_error err;
    char text[64];
    assert_true(difflns_option_count() > 8);
    for (int i = 0; i < difflns_option_count(); i++) { /* every default is a value the option takes */
        assert_non_null(difflns_option_help(i));
        assert_int_equal(difflns_option_default(i, text, sizeof text, &err), DIFFLNS_OK);
        if (difflns_solver_set(solver, difflns_option_name(i), text, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
        double least, greatest;
        bool is_word = difflns_option_kind(i) == DIFFLNS_OPTION_CHOICE || difflns_option_kind(i) == DIFFLNS_OPTION_FLAG;
        assert_int_equal(difflns_option_bounds(i, &least, &greatest, &err), is_word ? DIFFLNS_BAD_INPUT : DIFFLNS_OK);
        assert_true((difflns_option_choices(i) != NULL) == (difflns_option_kind(i) == DIFFLNS_OPTION_CHOICE));
    }
    assert_int_equal(difflns_solver_set_number(solver, "neighbors", 12, &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_get(solver, "neighbors", text, sizeof text, &err), DIFFLNS_OK);
    assert_string_equal(text, "12");
    assert_int_equal(difflns_solver_set(solver, "init", "slack", &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_get(solver, "init", text, sizeof text, &err), DIFFLNS_OK);
    assert_string_equal(text, "slack");
    static const char *const BAD[][2] = {{"neighbors", "0"},   {"neighbors", "x"}, {"time", "0x10"}, {"time", "nan"},
                                         {"init", "teleport"}, {"swamp", "1"},     {"steps", "-1"},  {"seed", ""}};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        err.message[0] = 0;
        assert_int_equal(difflns_solver_set(solver, BAD[i][0], BAD[i][1], &err), DIFFLNS_BAD_INPUT);
        assert_non_null(strstr(err.message, BAD[i][0]));
    }
    assert_int_equal(difflns_solver_set_number(solver, "neighbors", 1.5, &err), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_solver_get(solver, "neighbors", text, 2, &err), DIFFLNS_BAD_INPUT); /* no room */
    assert_null(difflns_option_name(-1));
    assert_null(difflns_option_name(difflns_option_count()));
    difflns_solver_free(solver);
}

typedef struct heard {
    int count[DIFFLNS_EVENT_FINISHED + 1];
    int64_t last_soc;
    difflns_event_type last;
    difflns_solver *stop; /* at the first plan */
} heard;

static void hear(void *user, const difflns_event *event)
{
    heard *h = user;
    h->last = difflns_event_kind(event);
    h->count[h->last]++;
    difflns_plan *plan;
    if (h->last == DIFFLNS_EVENT_FIRST_PLAN || h->last == DIFFLNS_EVENT_BETTER_PLAN) {
        assert_int_equal(difflns_event_plan(event, &plan, NULL), DIFFLNS_OK);
        assert_true(difflns_plan_soc(plan) <= difflns_event_soc(event)); /* others may have found a better one */
        h->last_soc = difflns_event_soc(event);
        difflns_plan_free(plan);
        if (h->stop) difflns_solver_stop(h->stop);
    } else if (h->last == DIFFLNS_EVENT_STARTED) {
        assert_int_equal(difflns_event_plan(event, &plan, NULL), DIFFLNS_UNSOLVED);
        assert_null(plan);
    }
}

static void a_solver_solves_again_and_again_and_tells(void **state)
{
    (void)state;
    difflns_instance *instance;
    assert_int_equal(difflns_generate("small-random", 40, 11, &instance, NULL), DIFFLNS_OK);
    difflns_solver *solver = new_solver("30000");
    difflns_error err;
    heard h = {0};
    assert_int_equal(difflns_solver_set(solver, "anytime", "on", &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set_listener(solver, hear, &h, &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_keep_start(solver, 1, &err), DIFFLNS_OK);
    assert_null(difflns_solver_report(solver)); /* nothing was solved yet */
    int64_t soc = -1;
    for (int round = 0; round < 3; round++) {
        difflns_plan *plan, *start;
        int64_t violations;
        h = (heard){0};
        if (difflns_solver_solve(solver, instance, &plan, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
        assert_int_equal(difflns_plan_check(instance, plan, NULL, 0, &violations, NULL), DIFFLNS_OK);
        assert_int_equal(violations, 0);
        assert_int_equal(h.count[DIFFLNS_EVENT_STARTED], 1);
        assert_int_equal(h.count[DIFFLNS_EVENT_FIRST_PLAN], 1);
        assert_int_equal(h.count[DIFFLNS_EVENT_FINISHED], 1);
        assert_int_equal(h.last, DIFFLNS_EVENT_FINISHED);
        assert_int_equal(h.last_soc, difflns_plan_soc(plan));
        assert_int_equal(difflns_solver_soc(solver), difflns_plan_soc(plan));
        assert_true(difflns_solver_first_soc(solver) >= difflns_solver_soc(solver));
        assert_true(difflns_solver_sum_of_distances(solver) <= difflns_solver_soc(solver));
        assert_true(difflns_solver_iterations(solver) > 0 && difflns_solver_first_seconds(solver) >= 0);
        assert_non_null(strstr(difflns_solver_report(solver), "\"status\": \"solved\""));
        assert_string_equal(difflns_solver_reason(solver), "");
        assert_int_equal(difflns_solver_start_plan(solver, &start, &err), DIFFLNS_OK);
        difflns_plan_free(start);
        if (round > 0) assert_int_equal(soc, difflns_plan_soc(plan)); /* repeatable */
        soc = difflns_plan_soc(plan);
        difflns_plan_free(plan);
    }
    difflns_plan *plan;
    difflns_solver_stop(solver); /* nothing is at work, so nothing is stopped */
    assert_int_equal(difflns_solver_solve(solver, instance, &plan, &err), DIFFLNS_OK);
    difflns_plan_free(plan);
    h = (heard){.stop = solver};
    assert_int_equal(difflns_solver_set(solver, "iterations", "0", &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_solve(solver, instance, &plan, &err), DIFFLNS_STOPPED);
    assert_non_null(plan); /* the best so far */
    difflns_plan_free(plan);
    difflns_solver_free(solver);
    difflns_instance_free(instance);
}

static void an_unsolved_instance_leaves_its_best_colliding_plan(void **state)
{
    (void)state;
    difflns_instance *instance;
    assert_int_equal(difflns_generate("small-random", 70, 5, &instance, NULL), DIFFLNS_OK);
    difflns_solver *solver = new_solver("5");
    difflns_error err;
    difflns_plan *plan, *colliding;
    assert_int_equal(difflns_solver_set(solver, "fallback", "off", &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_colliding_plan(solver, &colliding, &err), DIFFLNS_UNSOLVED);
    assert_int_equal(difflns_solver_solve(solver, instance, &plan, &err), DIFFLNS_UNSOLVED);
    assert_null(plan);
    assert_string_equal(difflns_solver_init(solver), "none");
    assert_true(difflns_solver_reason(solver)[0] != 0);
    assert_int_equal(difflns_solver_colliding_plan(solver, &colliding, &err), DIFFLNS_OK);
    int64_t violations;
    int time;
    assert_int_equal(difflns_plan_check(instance, colliding, NULL, 0, &violations, NULL), DIFFLNS_OK);
    assert_true(violations > 0);
    assert_int_equal(difflns_plan_safe_time(instance, colliding, &time, NULL), DIFFLNS_OK);
    assert_true(time >= 0 && time < difflns_plan_makespan(colliding));
    difflns_plan_free(colliding);
    difflns_solver_free(solver);
    difflns_instance_free(instance);
}

/* A solve in a thread of its own, until it is stopped. */
typedef struct long_solve {
    difflns_solver *solver;
    difflns_instance *instance;
    atomic_bool is_at_work;
    difflns_status status;
} long_solve;

static void note_the_first_plan(void *user, const difflns_event *event)
{
    long_solve *s = user;
    if (difflns_event_kind(event) == DIFFLNS_EVENT_FIRST_PLAN) atomic_store(&s->is_at_work, true);
}

static void *solve_for_long(void *user)
{
    long_solve *s = user;
    difflns_plan *plan;
    s->status = difflns_solver_solve(s->solver, s->instance, &plan, NULL);
    difflns_plan_free(plan);
    return NULL;
}

static void a_solver_at_work_is_busy_for_others(void **state)
{
    (void)state;
    difflns_error err;
    long_solve s = {.solver = new_solver("0")};
    assert_int_equal(difflns_generate("small-random", 60, 4, &s.instance, &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set(s.solver, "time", "1000", &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set(s.solver, "stop", "limit", &err), DIFFLNS_OK);
    assert_int_equal(difflns_solver_set_listener(s.solver, note_the_first_plan, &s, &err), DIFFLNS_OK);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, solve_for_long, &s), 0);
    while (!atomic_load(&s.is_at_work)) usleep(1000);

    char text[DIFFLNS_OPTION_ROOM];
    difflns_plan *plan;
    assert_int_equal(difflns_solver_solve(s.solver, s.instance, &plan, &err), DIFFLNS_BUSY);
    assert_string_equal(err.message, "the solver is busy: another thread is calling it");
    assert_null(plan);
    assert_int_equal(difflns_solver_set(s.solver, "time", "1", NULL), DIFFLNS_BUSY);
    assert_int_equal(difflns_solver_set_number(s.solver, "time", 1, NULL), DIFFLNS_BUSY);
    assert_int_equal(difflns_solver_get(s.solver, "time", text, sizeof text, NULL), DIFFLNS_BUSY);
    assert_int_equal(difflns_solver_set_model(s.solver, NULL, NULL), DIFFLNS_BUSY);
    assert_int_equal(difflns_solver_set_start(s.solver, NULL, NULL), DIFFLNS_BUSY);
    assert_int_equal(difflns_solver_keep_start(s.solver, true, NULL), DIFFLNS_BUSY);
    assert_int_equal(difflns_solver_set_listener(s.solver, NULL, NULL, NULL), DIFFLNS_BUSY);
    assert_int_equal(difflns_solver_colliding_plan(s.solver, &plan, NULL), DIFFLNS_BUSY);
    assert_true(difflns_solver_soc(s.solver) == -1 && difflns_solver_makespan(s.solver) == -1);
    assert_null(difflns_solver_report(s.solver));

    difflns_solver_stop(s.solver);
    pthread_join(thread, NULL);
    assert_int_equal(s.status, DIFFLNS_STOPPED);
    assert_int_equal(difflns_solver_get(s.solver, "time", text, sizeof text, NULL), DIFFLNS_OK);
    assert_string_equal(text, "1000");
    assert_true(difflns_solver_soc(s.solver) >= difflns_solver_lower_bound(s.solver));
    assert_true(difflns_solver_makespan(s.solver) > 0 && difflns_solver_gap(s.solver) >= 0);
    assert_non_null(difflns_solver_report(s.solver));
    difflns_solver_free(s.solver);
    difflns_instance_free(s.instance);
}

static void a_solver_answers_nonsense_with_nothing(void **state)
{
    (void)state;
    difflns_instance *instance = small_instance();
    difflns_solver *solver = new_solver("10");
    difflns_plan *plan;
    assert_int_equal(difflns_solver_create(NULL, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_solver_set(NULL, "time", "1", NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_solver_set(solver, NULL, "1", NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_solver_set(solver, "time", NULL, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_solver_solve(NULL, instance, &plan, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_solver_solve(solver, NULL, &plan, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_solver_solve(solver, instance, NULL, NULL), DIFFLNS_BAD_INPUT);
    assert_int_equal(difflns_solver_set(solver, "init", "plan", NULL), DIFFLNS_OK);
    assert_int_equal(difflns_solver_solve(solver, instance, &plan, NULL), DIFFLNS_BAD_INPUT); /* no plan was given */
    assert_int_equal(difflns_solver_soc(NULL), -1);
    assert_int_equal(difflns_solver_iterations(NULL), 0);
    assert_int_equal(difflns_solver_makespan(NULL), -1);
    assert_int_equal(difflns_solver_lower_bound(NULL), -1);
    assert_true(difflns_solver_gap(NULL) == -1);
    assert_string_equal(difflns_solver_init(NULL), "none");
    assert_string_equal(difflns_solver_reason(NULL), "");
    assert_null(difflns_solver_report(NULL));
    difflns_solver_stop(NULL);
    difflns_solver_free(NULL);
    difflns_solver_free(solver);
    difflns_instance_free(instance);
}

/* Bindings and scripts go by these names. */
static void every_status_and_violation_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int i = DIFFLNS_OK; i <= DIFFLNS_BUSY; i++)
        for (int k = i + 1; k <= DIFFLNS_BUSY + 1; k++) /* the last one is unknown */
            assert_string_not_equal(difflns_status_name((difflns_status)i), difflns_status_name((difflns_status)k));
    for (int i = DIFFLNS_VERTEX; i <= DIFFLNS_MISSED_GOAL; i++)
        for (int k = i + 1; k <= DIFFLNS_MISSED_GOAL + 1; k++)
            assert_string_not_equal(difflns_violation_name((difflns_violation_kind)i),
                                    difflns_violation_name((difflns_violation_kind)k));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instance_comes_from_memory),
        cmocka_unit_test(positions_go_in_and_out_in_bulk),
        cmocka_unit_test(every_format_survives_memory),
        cmocka_unit_test(the_page_comes_as_text),
        cmocka_unit_test(the_checker_says_how_far_a_plan_is_safe),
        cmocka_unit_test(generated_instances_repeat),
        cmocka_unit_test(a_map_is_shared_and_keeps_its_distances),
        cmocka_unit_test(accessors_answer_nonsense_with_nothing),
        cmocka_unit_test(null_is_refused_with_a_line),
        cmocka_unit_test(drafts_are_drawn_through_the_interface),
        cmocka_unit_test(options_are_set_by_name_and_read_back),
        cmocka_unit_test(a_solver_solves_again_and_again_and_tells),
        cmocka_unit_test(an_unsolved_instance_leaves_its_best_colliding_plan),
        cmocka_unit_test(a_solver_at_work_is_busy_for_others),
        cmocka_unit_test(a_solver_answers_nonsense_with_nothing),
        cmocka_unit_test(every_status_and_violation_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

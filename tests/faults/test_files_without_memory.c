/* Instances, plans and pages when memory is out: a status, nothing held, and files that are whole or not there. */
#include <dirent.h>
#include <unistd.h>

#include "everywhere.h"
#include "formats/load.h"
#include "formats/plan_io.h"
#include "generate/generate.h"
#include "mapf/check.h"
#include "mapf/collisions.h"
#include "support.h"

#define DATA DIFFLNS_TEST_DATA "/"

typedef struct load_case {
    const char *map, *map_name, *scen, *scenario;
    int agents;
} load_case;

static dl_status load(void *user)
{
    const load_case *c = user;
    difflns_instance *instance;
    dl_status status =
        difflns_instance_load_named(c->map, c->map_name, c->scen, c->scenario, c->agents, &instance, NULL);
    if (status != DIFFLNS_OK) return instance ? DIFFLNS_INTERNAL : status;
    difflns_instance_free(instance);
    return DIFFLNS_OK;
}

static void loading_an_instance_succeeds_or_says_so(void **state)
{
    (void)state;
    load_case cases[] = {{DATA "toy.map", NULL, DATA "toy.scen", NULL, 0},
                         {DATA "toy-maps.yaml", NULL, DATA "toy-scenarios.yaml", "Scenario-001", 0},
                         {DATA "toy-maps.yaml", "letters", NULL, NULL, 0},
                         {DATA "toy.map", NULL, DATA "toy-scenarios.yaml", "Scenario-000", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) assert_true(faults_everywhere(load, &cases[i], 1) > 20);
}

static dl_status create(void *user)
{
    const difflns_instance *like = user;
    difflns_instance *instance;
    enum { AGENTS = 3 };
    difflns_cell starts[AGENTS], goals[AGENTS];
    for (int i = 0; i < AGENTS; i++) {
        starts[i] = difflns_instance_start(like, i);
        goals[i] = difflns_instance_goal(like, i);
    }
    dl_status status = difflns_instance_create(like->grid->height, like->grid->width, like->grid->blocked, AGENTS,
                                               starts, goals, &instance, NULL);
    if (status != DIFFLNS_OK) return instance ? DIFFLNS_INTERNAL : status;
    difflns_instance_free(instance);
    return DIFFLNS_OK;
}

static dl_instance *toy(void)
{
    dl_instance *instance;
    assert_int_equal(dl_instance_load(DATA "toy.map", DATA "toy.scen", 0, &instance, NULL), DIFFLNS_OK);
    return instance;
}

static dl_plan *toy_plan(const dl_instance *instance)
{
    dl_plan *plan;
    assert_int_equal(dl_plan_read(instance, DATA "toy.paths", DIFFLNS_ORDER_AUTO, &plan, NULL), DIFFLNS_OK);
    return plan;
}

static void creating_an_instance_succeeds_or_says_so(void **state)
{
    (void)state;
    dl_instance *instance = toy();
    assert_true(faults_everywhere(create, instance, 1) > 5);
    dl_instance_free(instance);
}

static dl_status generate(void *user)
{
    const dl_generate_params *params = user;
    dl_generator_scratch scratch = {0};
    dl_instance *instance;
    dl_status status = dl_generate(params, 7, &scratch, &instance, NULL);
    dl_generator_scratch_free(&scratch);
    if (status != DIFFLNS_OK) return instance ? DIFFLNS_INTERNAL : status;
    bool whole = instance->agents == params->agents;
    dl_instance_free(instance);
    return whole ? DIFFLNS_OK : DIFFLNS_INTERNAL;
}

static void generating_an_instance_succeeds_or_says_so(void **state)
{
    (void)state;
    for (int i = 0; dl_generate_preset_name(i); i++) {
        dl_generate_params params;
        assert_int_equal(dl_generate_preset(dl_generate_preset_name(i), &params, NULL), DIFFLNS_OK);
        params.agents = 5;
        assert_true(faults_everywhere(generate, &params, 1) > 5);
    }
}

typedef struct plan_case {
    const dl_instance *instance;
    const dl_plan *plan;
    difflns_format format;
    const char *text; /* to be read */
    char folder[64], path[200];
} plan_case;

static dl_status parse(void *user)
{
    const plan_case *c = user;
    dl_plan *plan;
    dl_status status = dl_plan_parse(c->instance, "test", c->text, strlen(c->text), DIFFLNS_ORDER_AUTO, &plan, NULL);
    if (status != DIFFLNS_OK) return plan ? DIFFLNS_INTERNAL : status;
    bool same = plan->agents == c->plan->agents && dl_plan_soc(plan) == dl_plan_soc(c->plan);
    dl_plan_free(plan);
    return same ? DIFFLNS_OK : DIFFLNS_INTERNAL;
}

static void reading_a_plan_succeeds_or_says_so(void **state)
{
    (void)state;
    static const char *const TEXT[] = {
        "Agent 0:(0,0)->(0,1)->(0,2)->(0,3)->(0,4)->\n"
        "Agent 1:(0,4)->(1,4)->(2,4)->(2,3)->(2,2)->(2,1)->(2,0)->\nAgent 2:(2,2)->(2,3)->(3,3)->\n",
        "rrrr\nddllll\nrd\n",
        "map_name,agents,solution_plan\ntoy,3,\"rrrr\nddllll\nrd\"\n",
        "{\"agents\":3,\"solution_plan\":\"rrrr\\nddllll\\nrd\"}",
        "{\"format\":\"difflns-plan\",\"version\":1,\"paths\":[[[0,0],[0,1],[0,2],[0,3],[0,4]],"
        "[[0,4],[1,4],[2,4],[2,3],[2,2],[2,1],[2,0]],[[2,2],[2,3],[3,3]]]}",
        "agents=3\nsolution=\n0:(0,0),(4,0),(2,2),\n1:(1,0),(4,1),(3,2),\n2:(2,0),(4,2),(3,3),\n3:(3,0),(3,2),(3,3),\n"
        "4:(4,0),(2,2),(3,3),\n5:(4,0),(1,2),(3,3),\n6:(4,0),(0,2),(3,3),\n"};
    plan_case c = {.instance = toy()};
    dl_plan *plan = toy_plan(c.instance);
    c.plan = plan;
    for (size_t i = 0; i < sizeof TEXT / sizeof TEXT[0]; i++) {
        c.text = TEXT[i];
        assert_true(faults_everywhere(parse, &c, 1) > 4);
    }
    dl_plan_free(plan);
    dl_instance_free((dl_instance *)c.instance);
}

/* The file is there if and only if the status says so; then it goes, for the next try. */
static dl_status look(const char *path, dl_status status)
{
    bool there = access(path, F_OK) == 0;
    if (there) remove(path);
    return there == (status == DIFFLNS_OK) ? status : DIFFLNS_INTERNAL;
}

static dl_status write_plan(void *user)
{
    const plan_case *c = user;
    return look(c->path, dl_plan_write(c->instance, c->plan, c->format, c->path, NULL));
}

static dl_status write_page(void *user)
{
    const plan_case *c = user;
    return look(c->path, difflns_page_write(c->instance, c->plan, "one <plan>", c->plan, NULL, c->path, NULL));
}

static dl_status write_map(void *user)
{
    const plan_case *c = user;
    return look(c->path, dl_instance_write_map(c->instance, c->path, NULL));
}

static dl_status write_scen(void *user)
{
    const plan_case *c = user;
    return look(c->path, dl_instance_write_scen(c->instance, c->path, NULL));
}

static void writing_leaves_whole_files_or_none(void **state)
{
    (void)state;
    plan_case c = {.instance = toy(), .folder = "/tmp/difflns-faults-XXXXXX"};
    dl_plan *plan = toy_plan(c.instance);
    c.plan = plan;
    assert_non_null(mkdtemp(c.folder));
    snprintf(c.path, sizeof c.path, "%s/plan", c.folder);
    for (c.format = DIFFLNS_FORMAT_JSON; c.format <= DIFFLNS_FORMAT_TRACKER; c.format++)
        assert_true(faults_everywhere(write_plan, &c, 1) > 2);
    assert_true(faults_everywhere(write_page, &c, 1) > 10);
    assert_true(faults_everywhere(write_map, &c, 1) > 2);
    assert_true(faults_everywhere(write_scen, &c, 1) > 2);
    snprintf(c.path, sizeof c.path, "%s/instance.yaml", c.folder);
    assert_true(faults_everywhere(write_map, &c, 1) > 2);
    assert_true(faults_everywhere(write_scen, &c, 1) > 2);
    assert_int_equal(rmdir(c.folder), 0); /* no temporary was left behind */
    dl_plan_free(plan);
    dl_instance_free((dl_instance *)c.instance);
}

static dl_status check(void *user)
{
    const plan_case *c = user;
    int64_t violations;
    return difflns_plan_check(c->instance, c->plan, NULL, 0, &violations, NULL);
}

static dl_status count_collisions(void *user)
{
    const plan_case *c = user;
    dl_collisions collisions;
    if (!dl_plan_collisions(c->instance, c->plan, &collisions)) return DIFFLNS_OUT_OF_MEMORY;
    return collisions.pairs == 1 ? DIFFLNS_OK : DIFFLNS_INTERNAL;
}

static dl_status copy(void *user)
{
    const plan_case *c = user;
    dl_plan *twin = dl_plan_copy(c->plan);
    if (!twin) return DIFFLNS_OUT_OF_MEMORY;
    bool same = dl_plan_soc(twin) == dl_plan_soc(c->plan);
    dl_plan_free(twin);
    return same ? DIFFLNS_OK : DIFFLNS_INTERNAL;
}

static dl_status create_plan(void *user)
{
    (void)user;
    static const int32_t LENGTH[2] = {3, 1};
    static const difflns_cell CELL[4] = {{0, 0}, {0, 1}, {0, 2}, {2, 2}};
    difflns_plan *plan;
    dl_status status = difflns_plan_create(2, LENGTH, CELL, &plan, NULL);
    if (status != DIFFLNS_OK) return plan ? DIFFLNS_INTERNAL : status;
    difflns_plan_free(plan);
    return DIFFLNS_OK;
}

static void judging_a_plan_succeeds_or_says_so(void **state)
{
    (void)state;
    plan_case c = {.instance = toy()};
    dl_plan *plan = toy_plan(c.instance);
    plan->path[1].at[2] = plan->path[0].at[2];
    c.plan = plan;
    assert_true(faults_everywhere(check, &c, 1) > 2);
    assert_true(faults_everywhere(count_collisions, &c, 1) > 2);
    assert_true(faults_everywhere(copy, &c, 1) > 2);
    assert_true(faults_everywhere(create_plan, &c, 1) > 2);
    dl_plan_free(plan);
    dl_instance_free((dl_instance *)c.instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loading_an_instance_succeeds_or_says_so),
        cmocka_unit_test(creating_an_instance_succeeds_or_says_so),
        cmocka_unit_test(generating_an_instance_succeeds_or_says_so),
        cmocka_unit_test(reading_a_plan_succeeds_or_says_so),
        cmocka_unit_test(writing_leaves_whole_files_or_none),
        cmocka_unit_test(judging_a_plan_succeeds_or_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

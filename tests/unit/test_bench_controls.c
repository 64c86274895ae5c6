#include "bench/controls.h"
#include "support.h"

enum { AGENTS = 30 };

typedef struct world {
    dl_instance *instance;
    dl_model *model, *untrained;
    dl_distance *distance;
    dl_start_case scene;
    dl_planner *planner;
} world;

/* A crowded small map, and a network as small as they get. */
static int make_world(void **state)
{
    world *w = calloc(1, sizeof *w);
    dl_config config = dl_config_compact();
    config.network.width = config.network.condition_width = config.network.feed_forward = 16;
    config.network.heads = 2;
    config.network.layers = 1;
    config.network.pyramid_width = 8;
    config.decoding.sampling_steps = 2;
    w->instance = test_preset_instance("small-random", AGENTS, 1);
    w->model = dl_model_create(&config);
    w->untrained = dl_model_create(&config);
    w->distance = dl_distance_create(w->instance);
    dl_start_input input = {.instance = w->instance, .distance = w->distance, .seed = 7, .model = w->model};
    w->scene.starts = dl_starts_create(&input);
    input.model = w->untrained;
    w->scene.untrained = dl_starts_create(&input);
    w->planner = dl_planner_create(w->instance, w->distance, DL_ENGINE_AUTO);
    *state = w;
    return 0;
}

static int free_world(void **state)
{
    world *w = *state;
    dl_planner_free(w->planner);
    dl_starts_free(w->scene.starts);
    dl_starts_free(w->scene.untrained);
    dl_distance_free(w->distance);
    dl_model_free(w->model);
    dl_model_free(w->untrained);
    dl_instance_free(w->instance);
    free(w);
    return 0;
}

/* Makes a start as a plan. */
static dl_plan *make(world *w, const char *name, int index)
{
    dl_compared_start start;
    dl_deadline none = dl_no_deadline();
    assert_true(dl_compared_start_find(name, &start));
    assert_true(dl_compared_start_make(&start, &w->scene, index, w->planner, &none));
    dl_plan *plan = dl_planner_write_plan(w->planner);
    dl_planner_clear(w->planner);
    return plan;
}

/* All but prioritized planning, which leaves agents that find no way to repair, give every agent a path home. */
static void every_start_is_made_of_legal_paths(void **state)
{
    world *w = *state;
    dl_compared_start start;
    for (int i = 0; dl_compared_start_at(i, &start); i++) {
        if (strcmp(start.name, "plan") == 0) continue;
        dl_plan *plan = make(w, start.name, 0);
        for (int agent = 0; agent < AGENTS; agent++) {
            if (plan->path[agent].length == 0) {
                if (strncmp(start.name, "pp", 2) != 0) fail_msg("%s: agent %d has no path", start.name, agent);
                continue;
            }
            dl_planner_clear(w->planner);
            if (!dl_planner_read_path(w->planner, agent, &plan->path[agent]))
                fail_msg("%s: the path of agent %d is not legal", start.name, agent);
        }
        dl_planner_clear(w->planner);
        dl_plan_free(plan);
    }
}

static bool same_plan(const dl_plan *a, const dl_plan *b)
{
    for (int agent = 0; agent < AGENTS; agent++) {
        const dl_path *p = &a->path[agent], *q = &b->path[agent];
        if (p->length != q->length) return false;
        if (p->length > 0 && memcmp(p->at, q->at, sizeof *p->at * (size_t)p->length) != 0) return false;
    }
    return true;
}

static void a_start_depends_on_seed_and_number_alone(void **state)
{
    world *w = *state;
    dl_compared_start start;
    for (int i = 0; dl_compared_start_at(i, &start); i++) {
        if (strcmp(start.name, "plan") == 0) continue;
        dl_plan *first = make(w, start.name, 0), *again = make(w, start.name, 0);
        dl_plan *next = make(w, start.name, 1);
        if (!same_plan(first, again)) fail_msg("%s: made twice, it is not the same", start.name);
        if (same_plan(first, next)) fail_msg("%s: two numbers give one start", start.name);
        dl_plan_free(first);
        dl_plan_free(again);
        dl_plan_free(next);
    }
}

static void a_kept_draft_gives_the_same_starts(void **state)
{
    static const char *const NAME[] = {"diffusion", "shuffled", "matched-slack"};
    world *w = *state;
    dl_kept_draft kept = {0};
    for (int i = 0; i < 3; i++) {
        dl_plan *fresh = make(w, NAME[i], 0);
        w->scene.kept = &kept;
        dl_plan *borrowed = make(w, NAME[i], 0);
        w->scene.kept = NULL;
        assert_true(kept.there);
        if (!same_plan(fresh, borrowed)) fail_msg("%s: another start from the kept draft", NAME[i]);
        dl_plan_free(fresh);
        dl_plan_free(borrowed);
    }
    dl_kept_draft_free(&kept);
}

/* Paths decoded without a network pay for collisions as drafts do; shortest paths do not. */
static void decoding_alone_avoids_collisions(void **state)
{
    world *w = *state;
    dl_plan *decoded = make(w, "no-network", 0), *shortest = make(w, "paths", 0);
    dl_collisions ours, theirs;
    assert_true(dl_plan_collisions(w->instance, decoded, &ours) && dl_plan_collisions(w->instance, shortest, &theirs));
    assert_true(ours.pairs < theirs.pairs);
    dl_plan_free(decoded);
    dl_plan_free(shortest);
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* How much longer than the shortest the paths are, in growing order. */
static void slack_of(world *w, const dl_plan *plan, int slack[AGENTS])
{
    for (int agent = 0; agent < AGENTS; agent++) {
        const dl_field *distance = dl_distance_acquire(w->distance, agent);
        slack[agent] = dl_path_cost(&plan->path[agent]) - dl_field_at(distance, w->instance->start[agent]);
        dl_distance_release(w->distance, agent);
    }
    qsort(slack, AGENTS, sizeof *slack, by_number);
}

static void matched_slack_has_the_slack_of_a_draft(void **state)
{
    world *w = *state;
    for (int agent = 0; agent < AGENTS; agent++) /* who is at home already can wait nowhere */
        if (w->instance->start[agent] == w->instance->goal[agent]) skip();
    dl_plan *draft = make(w, "diffusion", 0), *matched = make(w, "matched-slack", 0);
    int expected[AGENTS], found[AGENTS];
    slack_of(w, draft, expected);
    slack_of(w, matched, found);
    assert_memory_equal(found, expected, sizeof found);
    dl_plan_free(draft);
    dl_plan_free(matched);
}

/* What is compared is what the solver starts from: the same tracks for every caller. */
static void the_products_starts_are_the_products_own(void **state)
{
    world *w = *state;
    for (int i = 0; dl_start_at(i); i++) {
        const dl_start *start = dl_start_at(i);
        if (start->needs == DL_START_NEEDS_A_PLAN) continue;
        dl_plan *compared = make(w, start->name, 3);
        dl_deadline none = dl_no_deadline();
        dl_starts *fresh = dl_starts_create(dl_starts_input(w->scene.starts));
        assert_true(dl_start_make(start, fresh, w->planner, 3, NULL, &none));
        dl_plan *product = dl_planner_write_plan(w->planner);
        dl_planner_clear(w->planner);
        if (!same_plan(compared, product)) fail_msg("%s: another start than the solver's", start->name);
        dl_plan_free(compared);
        dl_plan_free(product);
        dl_starts_free(fresh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_start_is_made_of_legal_paths),
        cmocka_unit_test(a_start_depends_on_seed_and_number_alone),
        cmocka_unit_test(a_kept_draft_gives_the_same_starts),
        cmocka_unit_test(decoding_alone_avoids_collisions),
        cmocka_unit_test(the_products_starts_are_the_products_own),
        cmocka_unit_test(matched_slack_has_the_slack_of_a_draft),
    };
    return cmocka_run_group_tests(tests, make_world, free_world);
}

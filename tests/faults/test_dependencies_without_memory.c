/* Plan dependencies when memory is out. */
#include <stdlib.h>

#include "everywhere.h"
#include "formats/plan_format.h"
#include "order/dependencies.h"
#include "support_plans.h"

typedef struct plan_case {
    dl_instance *instance;
    dl_plan *plan;
    FILE *nowhere;
} plan_case;

static dl_status make(void *user)
{
    const plan_case *c = user;
    dl_dependencies *d;
    dl_status status = dl_dependencies_create(c->instance, c->plan, &d, NULL);
    if ((status == DIFFLNS_OK) != (d != NULL)) return DIFFLNS_INTERNAL;
    dl_dependencies_free(d);
    return status;
}

static dl_status write_json(void *user)
{
    const plan_case *c = user;
    return dl_plan_dependencies_write(c->nowhere, c->instance, c->plan, NULL);
}

static void dependencies_need_memory_or_say_so(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('d', 'e', 'p', 's'), 6);
    plan_case c = {.nowhere = fopen("/dev/null", "w")};
    c.instance = test_random_walks(&rng, 5, 5, 0, 20, 10, 0.2, &c.plan);
    assert_non_null(c.nowhere);
    assert_true(faults_everywhere(make, &c, 1) > 5);
    assert_true(faults_everywhere(write_json, &c, 1) > FAULTS_WITH_LIBRARIES(100));
    fclose(c.nowhere);
    dl_plan_free(c.plan);
    dl_instance_free(c.instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dependencies_need_memory_or_say_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The registry of starts: its rows, which one auto takes, what is refused. */
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

/* The order measured best in docs/repair.md; drafts take their turn only where there is a network. */
static void auto_takes_turns(void **state)
{
    (void)state;
    static const char *const WITHOUT[] = {"pp", "pibt", "slack", "pp", "pibt"};
    static const char *const WITH[] = {"pp", "pibt", "slack", "diffusion", "pp"};
    dl_start_input without = {0}, with = {.model = (const struct difflns_model *)&without};
    for (int i = 0; i < 5; i++) {
        assert_string_equal(dl_start_of(0, &without, i)->name, WITHOUT[i]);
        assert_string_equal(dl_start_of(0, &with, i)->name, WITH[i]);
        assert_string_equal(dl_start_of(dl_choice_index(DL_START_CHOICES, "paths"), &with, i)->name, "paths");
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_a_name_of_its_own_and_a_choice),
        cmocka_unit_test(auto_takes_turns),
        cmocka_unit_test(a_start_without_what_it_needs_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

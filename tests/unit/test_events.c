/* The reservation table of large maps: stays of many steps against single events. */
#include "engine/sipps/events.h"

#include "base/rng.h"
#include "support.h"

enum { CELLS = 3, TIMES = 40, AGENTS = 5 };

/* Who is where when, plainly. */
typedef struct plain {
    bool there[CELLS][TIMES][AGENTS];
} plain;

static void expect_equal(const dl_events *events, const plain *p)
{
    for (int cell = 0; cell < CELLS; cell++) {
        const dl_event_list *list = &events->list[cell];
        int at = 0;
        for (int time = 0; time < TIMES; time++)
            for (int agent = 0; agent < AGENTS; agent++) {
                if (!p->there[cell][time][agent]) continue;
                assert_true(at < list->count);
                assert_int_equal(dl_event_time(list->event[at]), time);
                assert_int_equal(dl_event_agent(list->event[at++]), agent);
            }
        assert_int_equal(at, list->count);
    }
}

/* True if all (or none) of the stay's steps are in the table. */
static bool holds(const plain *p, int cell, int first, int last, int agent, bool there)
{
    for (int time = first; time <= last; time++)
        if (p->there[cell][time][agent] != there) return false;
    return true;
}

static void stays_are_many_single_events(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('e', 'v', 'e', 'n'), 0);
    plain p = {0};
    dl_events events;
    assert_true(dl_events_create(&events, CELLS));
    int added = 0, removed = 0;
    for (int i = 0; i < 20000; i++) {
        int cell = (int)dl_rng_below(&rng, CELLS), agent = (int)dl_rng_below(&rng, AGENTS);
        int first = (int)dl_rng_below(&rng, TIMES), last = first + (int)dl_rng_below(&rng, 5);
        bool there = dl_rng_below(&rng, 2);
        if (last >= TIMES || !holds(&p, cell, first, last, agent, !there)) continue;
        if (there)
            assert_true(dl_events_add_stay(&events, cell, first, last, agent));
        else
            dl_events_remove_stay(&events, cell, first, last, agent);
        added += there;
        removed += !there;
        for (int time = first; time <= last; time++) p.there[cell][time][agent] = there;
        expect_equal(&events, &p);
    }
    assert_true(added > 1000 && removed > 1000);
    dl_events_free(&events);
}

/* An agent that lets others pass may wait for as many steps as their ways have. If each of them moved all those after
 * it, these would be ten billion. */
static void a_long_stay_is_added_and_removed_at_once(void **state)
{
    (void)state;
    enum { LONG = 100000 };
    dl_events events;
    assert_true(dl_events_create(&events, 1));
    assert_true(dl_events_add_stay(&events, 0, LONG, 2 * LONG - 1, 7));
    assert_true(dl_events_add_stay(&events, 0, 0, LONG - 1, 3));
    assert_int_equal(events.list[0].count, 2 * LONG);
    for (int i = 0; i < 2 * LONG; i++) {
        assert_int_equal(dl_event_time(events.list[0].event[i]), i);
        assert_int_equal(dl_event_agent(events.list[0].event[i]), i < LONG ? 3 : 7);
    }
    dl_events_remove_stay(&events, 0, 0, LONG - 1, 3);
    assert_int_equal(events.list[0].count, LONG);
    assert_int_equal(dl_event_time(events.list[0].event[0]), LONG);
    dl_events_remove_stay(&events, 0, LONG, 2 * LONG - 1, 7);
    assert_int_equal(events.list[0].count, 0);
    dl_events_free(&events);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stays_are_many_single_events),
        cmocka_unit_test(a_long_stay_is_added_and_removed_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "lns/neighborhood_size.h"
#include "support.h"

enum { MOST = 8 };

static double all_gains(const dl_sizes *s)
{
    double sum = 0;
    for (int k = 0; k < DL_SIZE_CLASSES; k++) sum += s->known[k].gain;
    return sum;
}

static void every_size_is_drawn_and_no_other(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('t', 'e', 's', 't'), 0);
    for (int most = 1; most <= 2 * MOST; most++) {
        dl_sizes sizes;
        bool drawn[2 * MOST + 1] = {false};
        dl_sizes_start(&sizes, most);
        for (int i = 0; i < 2000; i++) {
            int size = dl_sizes_draw(&sizes, &rng);
            assert_in_range(size, most < 2 ? most : 2, most);
            drawn[size] = true;
        }
        for (int size = 2; size <= most; size++) assert_true(drawn[size]);
    }
}

/* Pairs gain ten times as much for a search as larger sets do. */
static void sizes_that_gain_are_drawn_more_often(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(2, DL_PURPOSE('t', 'e', 's', 't'), 0);
    dl_sizes sizes;
    dl_sizes_start(&sizes, MOST);
    for (int i = 0; i < 3000; i++) dl_sizes_reward(&sizes, true, dl_sizes_draw(&sizes, &rng) == 2 ? 20 : 2, 2);
    int pairs = 0;
    for (int i = 0; i < 1000; i++) pairs += dl_sizes_draw(&sizes, &rng) == 2;
    assert_true(pairs > 800 && pairs < 1000);
}

static void a_gain_by_other_means_is_shared_by_changes(void **state)
{
    (void)state;
    dl_sizes sizes;
    dl_sizes_start(&sizes, MOST);
    sizes.drawn = 1;
    for (int i = 0; i < 4; i++) dl_sizes_reward(&sizes, i < 3, 0, 1);
    sizes.drawn = 2;
    dl_sizes_reward(&sizes, true, 0, 1);
    double before = all_gains(&sizes), small = sizes.known[1].gain, large = sizes.known[2].gain;
    dl_sizes_share_gain(&sizes, 1000);
    assert_true(sizes.known[1].gain - small > 2.5 * (sizes.known[2].gain - large)); /* three changes against one */
    assert_true(all_gains(&sizes) > before + 900 && all_gains(&sizes) <= before + 1000);
    for (int k = 0; k < DL_SIZE_CLASSES; k++) assert_true(sizes.known[k].changes == 0);
    double after = all_gains(&sizes);
    dl_sizes_share_gain(&sizes, 1000); /* nobody has changed anything since */
    assert_true(all_gains(&sizes) < after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_is_drawn_and_no_other),
        cmocka_unit_test(sizes_that_gain_are_drawn_more_often),
        cmocka_unit_test(a_gain_by_other_means_is_shared_by_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

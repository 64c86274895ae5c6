#include "support.h"

#include <math.h>

static const uint32_t PURPOSE = DL_PURPOSE('t', 'e', 's', 't');

/* The known answers that come with Philox4x32-10; a block is handed out from its last word to its first. */
static void the_generator_is_philox(void **state)
{
    (void)state;
    dl_rng zero = dl_rng_stream(0, 0, 0);
    assert_int_equal(dl_rng_u32(&zero), 0x9b00dbd8);
    assert_int_equal(dl_rng_u32(&zero), 0xbc57ac4c);
    assert_int_equal(dl_rng_u32(&zero), 0xe169c58d);
    assert_int_equal(dl_rng_u32(&zero), 0x6627e8d5);
    dl_rng ones = dl_rng_stream(UINT64_MAX, UINT32_MAX, UINT64_MAX);
    ones.counter.v[0] = UINT32_MAX;
    assert_int_equal(dl_rng_u32(&ones), 0x6d5451fd);
    assert_int_equal(dl_rng_u32(&ones), 0xa20bc7c6);
    assert_int_equal(dl_rng_u32(&ones), 0x41c83b0e);
    assert_int_equal(dl_rng_u32(&ones), 0x408f276d);
}

/* Everything that is built on the generator, pinned: a change here changes every seeded result. */
static void derived_values_are_pinned(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(42, PURPOSE, 7);
    assert_int_equal(dl_rng_u32(&rng), 0xde4e1b4a);
    assert_true(dl_rng_u64(&rng) == 0x3176eec7b20a7816u);
    static const uint32_t BELOW[6] = {4, 7, 2, 9, 0, 2};
    for (int i = 0; i < 6; i++) assert_int_equal(dl_rng_below(&rng, 10), BELOW[i]);
    assert_true(dl_rng_unit(&rng) == 0x1.b0c67b2643e9p-5);
    int32_t items[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const int32_t SHUFFLED[8] = {6, 4, 2, 5, 3, 1, 0, 7};
    dl_rng_shuffle(&rng, items, 8);
    assert_memory_equal(items, SHUFFLED, sizeof items);
}

static void streams_do_not_depend_on_the_order_of_work(void **state)
{
    (void)state;
    enum { STREAMS = 5, DRAWS = 50 };
    uint32_t alone[STREAMS][DRAWS];
    for (uint64_t s = 0; s < STREAMS; s++) {
        dl_rng rng = dl_rng_stream(9, PURPOSE, s);
        for (int i = 0; i < DRAWS; i++) alone[s][i] = dl_rng_u32(&rng);
    }
    dl_rng rng[STREAMS];
    for (uint64_t s = 0; s < STREAMS; s++) rng[s] = dl_rng_stream(9, PURPOSE, s);
    for (int i = 0; i < DRAWS; i++)
        for (int s = STREAMS - 1; s >= 0; s--) assert_int_equal(dl_rng_u32(&rng[s]), alone[s][i]);
}

static void seed_purpose_and_index_all_matter_to_the_last_bit(void **state)
{
    (void)state;
    enum { STREAMS = 1 + 64 + 32 + 64 };
    uint64_t first[STREAMS];
    int n = 0;
    dl_rng rng = dl_rng_stream(0, 0, 0);
    first[n++] = dl_rng_u64(&rng);
    for (int bit = 0; bit < 64; bit++) rng = dl_rng_stream(1ull << bit, 0, 0), first[n++] = dl_rng_u64(&rng);
    for (int bit = 0; bit < 32; bit++) rng = dl_rng_stream(0, 1u << bit, 0), first[n++] = dl_rng_u64(&rng);
    for (int bit = 0; bit < 64; bit++) rng = dl_rng_stream(0, 0, 1ull << bit), first[n++] = dl_rng_u64(&rng);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++) assert_true(first[a] != first[b]);
}

/* Within five standard deviations of `share` of `draws`. */
static bool plausible(int count, int draws, double share)
{
    return fabs(count - draws * share) < 5 * sqrt(draws * share * (1 - share));
}

static void below_is_uniform_for_small_numbers(void **state)
{
    (void)state;
    dl_rng rng = dl_rng_stream(1, PURPOSE, 0);
    static const uint32_t NUMBERS[] = {1, 2, 3, 5, 7, 10, 64, 83};
    for (int k = 0; k < 8; k++) {
        enum { DRAWS = 40000 };
        int count[83] = {0};
        for (int i = 0; i < DRAWS; i++) {
            uint32_t value = dl_rng_below(&rng, NUMBERS[k]);
            assert_true(value < NUMBERS[k]);
            count[value]++;
        }
        if (NUMBERS[k] == 1) continue;
        for (uint32_t value = 0; value < NUMBERS[k]; value++)
            assert_true(plausible(count[value], DRAWS, 1.0 / NUMBERS[k]));
    }
}

/* With 3 * 2^30 values out of 2^32 numbers, drawing without rejection would hit every third value twice as often. */
static void below_is_unbiased_for_huge_numbers(void **state)
{
    (void)state;
    enum { DRAWS = 60000 };
    dl_rng rng = dl_rng_stream(2, PURPOSE, 0);
    int by_rest[3] = {0};
    for (int i = 0; i < DRAWS; i++) by_rest[dl_rng_below(&rng, 3u << 30) % 3]++;
    for (int rest = 0; rest < 3; rest++) assert_true(plausible(by_rest[rest], DRAWS, 1.0 / 3));
}

static void unit_fills_its_interval(void **state)
{
    (void)state;
    enum { DRAWS = 40000, BINS = 16 };
    dl_rng rng = dl_rng_stream(3, PURPOSE, 0);
    int bin[BINS] = {0};
    for (int i = 0; i < DRAWS; i++) {
        double value = dl_rng_unit(&rng);
        assert_true(value >= 0 && value < 1);
        bin[(int)(value * BINS)]++;
    }
    for (int i = 0; i < BINS; i++) assert_true(plausible(bin[i], DRAWS, 1.0 / BINS));
}

static void every_order_is_as_likely(void **state)
{
    (void)state;
    enum { DRAWS = 48000, ORDERS = 24 };
    dl_rng rng = dl_rng_stream(4, PURPOSE, 0);
    int count[4 * 4 * 4] = {0}, orders = 0;
    for (int i = 0; i < DRAWS; i++) {
        int32_t items[4] = {0, 1, 2, 3};
        dl_rng_shuffle(&rng, items, 4);
        assert_int_equal(1 << items[0] | 1 << items[1] | 1 << items[2] | 1 << items[3], 15);
        count[items[0] * 16 + items[1] * 4 + items[2]]++;
    }
    for (int i = 0; i < 64; i++) {
        if (!count[i]) continue;
        orders++;
        assert_true(plausible(count[i], DRAWS, 1.0 / ORDERS));
    }
    assert_int_equal(orders, ORDERS);
    dl_rng_shuffle(&rng, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_generator_is_philox),
        cmocka_unit_test(derived_values_are_pinned),
        cmocka_unit_test(streams_do_not_depend_on_the_order_of_work),
        cmocka_unit_test(seed_purpose_and_index_all_matter_to_the_last_bit),
        cmocka_unit_test(below_is_uniform_for_small_numbers),
        cmocka_unit_test(below_is_unbiased_for_huge_numbers),
        cmocka_unit_test(unit_fills_its_interval),
        cmocka_unit_test(every_order_is_as_likely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

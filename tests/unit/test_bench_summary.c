#include <math.h>

#include "bench/pairs.h"
#include "bench/repairability.h"
#include "bench/summary.h"
#include "support.h"

static void near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9)) fail_msg("found %.6f, expected %.6f", found, expected);
}

static void add(dl_records *records, const char *family, int agents, int number, const char *method, int64_t soc,
                double seconds, uint64_t iterations)
{
    dl_record r = {.agents = agents,
                   .number = number,
                   .outcome = soc >= 0 ? DL_RUN_SOLVED : DL_RUN_UNSOLVED,
                   .soc = soc,
                   .makespan = soc,
                   .sum_of_distances = 50,
                   .seconds = seconds,
                   .candidates = 4,
                   .iterations = iterations,
                   .start_conflicts = -1,
                   .threads = 1};
    snprintf(r.family, sizeof r.family, "%s", family);
    snprintf(r.method, sizeof r.method, "%s", method);
    dl_records_add(records, &r);
}

/* Two methods on three cases: the first solves 0 and 1, the second 1 and 2. */
static void figures_are_taken_over_the_cases_they_are_said_to_be(void **state)
{
    (void)state;
    dl_records records = {0};
    add(&records, "medium-maze", 160, 0, "a", 100, 1, 10);
    add(&records, "medium-maze", 160, 0, "b", -1, 9, 20);
    add(&records, "medium-maze", 160, 1, "a", 200, 2, 30);
    add(&records, "medium-maze", 160, 1, "b", 150, 3, 40);
    add(&records, "medium-maze", 160, 2, "b", 400, 6, 50);
    add(&records, "medium-maze", 160, 2, "a", -1, 9, 60);
    dl_summary summary = dl_summarize(&records);
    assert_int_equal(summary.count, 2);
    const dl_summary_row *a = dl_summary_find(&summary, "medium-maze", 160, "a");
    const dl_summary_row *b = dl_summary_find(&summary, "medium-maze", 160, "b");
    assert_int_equal(a->cases, 3);
    assert_int_equal(a->solved, 2);
    near(a->success.value, 2.0 / 3);
    near(a->soc.value, 150);
    near(a->ratio.value, 3);
    near(a->seconds.value, 4);
    near(a->solved_seconds.value, 1.5);
    near(a->candidates.value, 4);
    near(b->soc.value, 275);
    near(b->seconds.value, 6);
    assert_int_equal(a->common_soc.count, 1); /* case 1 alone */
    near(a->common_soc.value, 200);
    near(b->common_soc.value, 150);
    dl_summary_free(&summary);
    dl_records_free(&records);
}

static void rows_stand_in_the_order_of_the_papers_settings(void **state)
{
    (void)state;
    dl_records records = {0};
    add(&records, "large-maze", 264, 0, "a", 1, 1, 1);
    add(&records, "small-random", 60, 0, "z", 1, 1, 1);
    add(&records, "small-random", 60, 0, "a", 1, 1, 1);
    add(&records, "small-random", 45, 0, "a", 1, 1, 1);
    dl_summary summary = dl_summarize(&records);
    assert_int_equal(summary.count, 4);
    assert_int_equal(summary.row[0].agents, 45);
    assert_string_equal(summary.row[1].method, "z");
    assert_string_equal(summary.row[2].method, "a");
    assert_string_equal(summary.row[3].family, "large-maze");
    dl_summary_free(&summary);
    dl_records_free(&records);
}

static void the_papers_table_is_whole(void **state)
{
    (void)state;
    dl_paper paper = dl_paper_read();
    double success = 0;
    int settings = 0;
    for (int i = 0; i < paper.count; i++) {
        if (strcmp(paper.row[i].experiment, "main") != 0 || strcmp(paper.row[i].method, "DiffLNS") != 0) continue;
        success += paper.row[i].success;
        settings++;
    }
    assert_int_equal(settings, 20);
    assert_true(fabs(success / settings - 0.958) < 0.001); /* the paper's text: 95.8 % on average */
    const dl_paper_row *row = dl_paper_find(&paper, "main", "medium-room", 192, dl_paper_method("difflns"));
    assert_non_null(row);
    near(row->candidates, 10.96);
    row = dl_paper_find(&paper, "multistart", "medium-room", 192, dl_paper_method("pp-multistart"));
    assert_non_null(row);
    near(row->success, 0.44);
    assert_true(isnan(row->soc));
    assert_true(isnan(dl_paper_find(&paper, "main", "large-maze", 312, "LaCAM3")->seconds));
    assert_null(dl_paper_method("auto"));
    dl_paper_free(&paper);
}

/* Prioritized planning needs 100, 200, 300 and never: half of it is repaired within 200. */
static void the_budget_is_where_half_of_the_prioritized_starts_succeed(void **state)
{
    (void)state;
    dl_records records = {0};
    static const struct {
        int64_t soc;
        uint64_t pp, other;
    } RUN[] = {{100, 100, 190}, {100, 200, 10}, {100, 300, 20}, {-1, 9000, 9000}};
    for (int i = 0; i < 4; i++) {
        add(&records, "medium-maze", 190, i, "pp", RUN[i].soc, 1, RUN[i].pp);
        add(&records, "medium-maze", 190, i, "slack", RUN[i].soc, 1, RUN[i].other);
    }
    dl_summary summary = dl_summarize(&records);
    dl_repairability table = dl_repairability_of(&records, &summary);
    assert_int_equal(table.count, 2);
    near(table.row[0].budget, 200);
    near(table.row[0].success.value, 0.5);
    near(table.row[1].success.value, 0.75);
    dl_start_verdict v = dl_repairability_verdict(&table, "slack");
    assert_int_equal(v.settings, 1);
    assert_int_equal(v.below, 0);
    near(v.success, 0.75);
    near(v.pp_success, 0.5);
    dl_repairability_free(&table);
    dl_summary_free(&summary);
    dl_records_free(&records);
}

/* Plans of 200 and 50 beside drafts of 100 and 100: twice and half the cost are even. A case only one of them repaired
 * does not count. */
static void costs_are_compared_case_by_case(void **state)
{
    (void)state;
    dl_records records = {0};
    static const int64_t PP[] = {200, 50, 900, -1}, DRAFT[] = {100, 100, -1, 100};
    for (int i = 0; i < 4; i++) {
        add(&records, "medium-maze", 190, i, "pp", PP[i], 1, 10);
        add(&records, "medium-maze", 190, i, "diffusion", DRAFT[i], 1, 10);
    }
    dl_summary summary = dl_summarize(&records);
    dl_repairability table = dl_repairability_of(&records, &summary);
    dl_start_verdict v = dl_repairability_verdict(&table, "pp");
    assert_int_equal(v.cost.count, 2);
    near(v.cost.value, 1);
    assert_true(isnan(v.cost.low)); /* of two cases */
    dl_repairability_free(&table);
    dl_summary_free(&summary);
    dl_records_free(&records);
}

/* b saves a tenth of a's cost on one setting and costs a tenth more on the other. A case that one did not solve is
 * lost, and has no ratio. */
static void costs_are_paired_with_the_first_method(void **state)
{
    (void)state;
    dl_records records = {0};
    for (int i = 0; i < 3; i++) {
        add(&records, "medium-maze", 160, i, "a", 1000 * (i + 1), 1, 1);
        add(&records, "medium-maze", 160, i, "b", i == 2 ? -1 : 900 * (i + 1), 1, 1);
        add(&records, "medium-room", 150, i, "a", 1000, 1, 1);
        add(&records, "medium-room", 150, i, "b", 1100, 1, 1);
    }
    dl_summary summary = dl_summarize(&records);
    dl_pairs pairs = dl_pairs_of(&records, &summary);
    assert_string_equal(pairs.yardstick, "a");
    assert_int_equal(pairs.count, 3);
    near(pairs.row[0].ratio.value, 0.9);
    assert_int_equal(pairs.row[0].ratio.count, 2);
    assert_true(isnan(pairs.row[0].ratio.low)); /* two cases say nothing about a third */
    assert_int_equal(pairs.row[0].wins, 2);
    assert_int_equal(pairs.row[0].losses, 1); /* the case it did not solve */
    near(pairs.row[1].ratio.value, 1.1);
    assert_null(pairs.row[2].family);
    assert_int_equal(pairs.row[2].ratio.count, 5);
    assert_int_equal(pairs.row[2].wins, 2);
    assert_int_equal(pairs.row[2].losses, 4);
    near(pairs.row[2].ratio.value, exp((2 * log(0.9) + 3 * log(1.1)) / 5));
    assert_true(pairs.row[2].ratio.low < pairs.row[2].ratio.value &&
                pairs.row[2].ratio.value < pairs.row[2].ratio.high);
    dl_pairs_free(&pairs);
    dl_summary_free(&summary);
    dl_records_free(&records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_taken_over_the_cases_they_are_said_to_be),
        cmocka_unit_test(rows_stand_in_the_order_of_the_papers_settings),
        cmocka_unit_test(the_papers_table_is_whole),
        cmocka_unit_test(the_budget_is_where_half_of_the_prioritized_starts_succeed),
        cmocka_unit_test(costs_are_compared_case_by_case),
        cmocka_unit_test(costs_are_paired_with_the_first_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

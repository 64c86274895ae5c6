/* The solvability test and the complete solver on the small worlds of the specification, both rule sets. */
#include "base/memory.h"
#include "complete/complete_solver.h"
#include "complete/solvability.h"
#include "mapf/check.h"
#include "support_worlds.h"

typedef struct row {
    const char *id, *start, *goal;
    int fewest_moves; /* under pebble rules; -1 = unsolvable */
    bool mapf;        /* solvable under MAPF rules */
} row;

static const row TABLE[] = {
    {"P1", "AB..", "..AB", 4, true},
    {"P2", "AB..", "BA..", -1, false},
    {"P3", "A....B.", "B....A.", -1, false},
    {"J1", "A.B/#.#", "B.A/#.#", 6, true},
    {"J2", "A.B/#C#", "B.A/#C#", -1, false},
    {"J3", "A...B/##.##", "B...A/##.##", 10, true},
    {"J4", "AB.C/##.#", "AC.B/##.#", 6, true},
    {"J5", "ABC./##.#", "BAC./##.#", -1, false},
    {"J6", "AB.CD/##.##", "BA.CD/##.##", -1, false},
    {"S1", "##A##/##B##/CD..E", "##A##/##D##/CB..E", 6, true},
    {"S2", "##A##/##B##/CD..E", "##B##/##A##/CD..E", -1, false},
    {"S3", "##A##/##B##/CD..E", "##A##/##E##/CD..B", -1, false},
    {"C1", "AB/.C", ".A/CB", 3, true},
    {"C2", "AB/C.", "BA/C.", -1, false},
    {"C3", "AB/CD", "CA/DB", -1, true},
    {"C4", "AB/CD", "BA/CD", -1, false},
    {"G1", "ABC/DE.", "BCA/DE.", 14, true},
    {"G2", "ABC/DE.", "BAC/DE.", -1, true},
    {"G3", "ABC/D..", "BAC/D..", 8, true},
    {"G4", "ABC/DEF", "BAC/DEF", -1, true},
    {"G5", "ABC/DEF/GH.", "BAC/DEF/GH.", -1, true},
    {"L1", "AB##/CD..", "BA##/CD..", 12, true},
    {"L2", "AB##/CD..", "AB##/DC..", -1, true},
    {"B1", "AB#/CD./#E.", "EB#/CD./#A.", 18, true},
    {"I1", "#B##/A..C/##D#", "#B##/C..A/##D#", -1, false},
    {"I2", "#B##/A..C/##.#", "#B##/C..A/##.#", 8, true},
    {"I3", "#B###/A...C/###D#", "#B###/C...A/###D#", -1, false},
    {"I4", "#B###/A...C/###.#", "#B###/C...A/###.#", 10, true},
    {"I5", "#B####/A....C/####D#", "#B####/C....A/####D#", -1, false},
    {"I6", "#B####/A....C/####.#", "#B####/C....A/####.#", 12, true},
    {"Q1", "AB##/C..D/##EF", "DB##/C..A/##EF", -1, true},
    {"Q2", "AB##/C..D/##E.", "DB##/C..A/##E.", 18, true},
    {"Q3", "AB#EF/CD.G.", "AB#EF/CG.D.", -1, true},
    {"W1", "HJE..F/AC##LO/.#IG#N/.#.#M./#DB.K#", ".DM..C/FH##../I#BJ#L/K#E#NG/#OA..#", -1, true},
    {"W2", "MK.AB./JC#EH#/.F###D/N#.LI./..G#OP", "K.DP.C/.E#.J#/BM###./O#HL.A/N.I#GF", -1, true},
    {"D1", "A.#.", "..#A", -1, false},
    {"D2", "AB#C./###..", "BA#.C/###..", -1, false},
};

static dl_instance *instance_of(const row *r)
{
    int tasks[26][4], agents = 0;
    for (char letter = 'A'; strchr(r->start, letter); letter++, agents++) {
        const char *both[2] = {r->start, r->goal};
        for (int end = 0; end < 2; end++) {
            int line = 0, col = 0;
            for (const char *c = both[end]; *c != letter; c++) {
                line += *c == '/';
                col = *c == '/' ? 0 : col + 1;
            }
            tasks[agents][2 * end] = line;
            tasks[agents][2 * end + 1] = col;
        }
    }
    return test_instance(r->start, agents, (const int(*)[4])tasks);
}

static bool joint_space_is_small(const dl_instance *instance)
{
    double states = 1;
    for (int agent = 0; agent < instance->agents; agent++) states *= instance->grid->cells;
    return states < 3e7;
}

static void every_row_of_the_table_is_judged_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
        dl_instance *instance = instance_of(&TABLE[i]);
        dl_solvability pebble, mapf;
        assert_true(dl_solvability_test(instance, DL_RULES_PEBBLE, &pebble));
        assert_true(dl_solvability_test(instance, DL_RULES_MAPF, &mapf));
        if ((pebble.verdict == DL_SOLVABLE) != (TABLE[i].fewest_moves >= 0)) fail_msg("%s: pebble", TABLE[i].id);
        if ((mapf.verdict == DL_SOLVABLE) != TABLE[i].mapf) fail_msg("%s: mapf", TABLE[i].id);
        assert_true((mapf.verdict == DL_SOLVABLE) == (mapf.reason[0] == '\0'));
        if (joint_space_is_small(instance)) {
            assert_int_equal(world_shortest_plan(instance, DL_RULES_PEBBLE), TABLE[i].fewest_moves);
            assert_true((world_shortest_plan(instance, DL_RULES_MAPF) >= 0) == TABLE[i].mapf);
        }
        dl_instance_free(instance);
    }
}

static void every_solvable_row_of_the_table_is_solved(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
        dl_instance *instance = instance_of(&TABLE[i]);
        for (dl_rules rules = DL_RULES_PEBBLE; rules <= DL_RULES_MAPF; rules++) {
            bool solvable = rules == DL_RULES_MAPF ? TABLE[i].mapf : TABLE[i].fewest_moves >= 0;
            dl_complete_options options = {.seed = i, .orders = 2, .rules = rules};
            dl_plan *plan;
            dl_error err;
            dl_status status = DIFFLNS_UNSOLVED;
            if (dl_instance_cut_off_agent(instance) < 0)
                status = dl_complete_solve(instance, NULL, &options, dl_no_deadline(), &plan, &err);
            if ((status == DIFFLNS_OK) != solvable) fail_msg("%s rules %d: %s", TABLE[i].id, rules, err.message);
            if (status != DIFFLNS_OK) continue;
            assert_true(dl_check_valid(instance, plan));
            dl_plan_free(plan);
        }
        dl_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_of_the_table_is_judged_right),
                                       cmocka_unit_test(every_solvable_row_of_the_table_is_solved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

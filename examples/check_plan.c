/* Load an instance from files, make a plan from cells, check it, and look at what is wrong with a bad one. */
#include <difflns.h>
#include <stdio.h>

static int report(const difflns_instance *instance, const difflns_plan *plan)
{
    difflns_violation list[8];
    int64_t violations;
    if (difflns_plan_check(instance, plan, list, 8, &violations, NULL) != DIFFLNS_OK) return -1;
    printf("violations %lld, sum of costs %lld, makespan %d, lower bound %lld\n", (long long)violations,
           (long long)difflns_plan_soc(plan), difflns_plan_makespan(plan),
           (long long)difflns_instance_sum_of_distances(instance));
    for (int64_t i = 0; i < violations && i < 8; i++)
        printf("  %s: agent %d, time %d, row %d, col %d\n", difflns_violation_name(list[i].kind), list[i].agent,
               list[i].time, list[i].cell.row, list[i].cell.col);
    return (int)violations;
}

int main(void)
{
    difflns_error err;
    difflns_instance *instance;
    if (difflns_instance_load("toy.map", "toy.scen", 0, &instance, &err) != DIFFLNS_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    /* Three paths, one after the other: 5, 7 and 3 cells. */
    const int32_t lengths[] = {5, 7, 3};
    difflns_cell cells[] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 4}, {1, 4}, {2, 4},
                            {2, 3}, {2, 2}, {2, 1}, {2, 0}, {2, 2}, {2, 3}, {3, 3}};
    difflns_plan *good, *bad;
    if (difflns_plan_create(3, lengths, cells, &good, &err) != DIFFLNS_OK) return 2;
    cells[2] = (difflns_cell){1, 1}; /* agent 0 now walks over an obstacle */
    if (difflns_plan_create(3, lengths, cells, &bad, &err) != DIFFLNS_OK) return 2;

    int good_violations = report(instance, good), bad_violations = report(instance, bad);
    difflns_plan_free(good);
    difflns_plan_free(bad);
    difflns_instance_free(instance);
    return good_violations == 0 && bad_violations > 0 ? 0 : 1;
}

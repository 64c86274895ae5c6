/* difflns check: the independent checker. */
#include <stdio.h>

#include "cli/cli.h"
#include "mapf/check.h"

enum { SHOWN = 100 }; /* violations printed; the counts cover all of them */

static void print_violation(const difflns_violation *v)
{
    printf("violation kind=%s time=%d row=%d col=%d agent=%d", difflns_violation_name(v->kind), v->time, v->cell.row,
           v->cell.col, v->agent);
    if (v->other >= 0) printf(" other=%d", v->other);
    putchar('\n');
}

int cli_check(const options *opts)
{
    difflns_instance *instance;
    difflns_plan *plan;
    int status = cli_load(opts, "check", &instance);
    if (status) return status;
    status = cli_read_plan(opts, instance, opts->argument[0], &plan);
    if (status) {
        difflns_instance_free(instance);
        return status;
    }
    dl_check_result result;
    difflns_violation list[SHOWN];
    size_t listed;
    if (!dl_check(instance, plan, &result, list, SHOWN, &listed)) {
        difflns_plan_free(plan);
        difflns_instance_free(instance);
        dl_error err;
        dl_out_of_memory(&err);
        return cli_fail(&err);
    }
    if (result.by_kind[DIFFLNS_AGENT_COUNT] > 0)
        printf("violation kind=agent-count plan=%d instance=%d\n", difflns_plan_agents(plan),
               difflns_instance_agents(instance));
    for (size_t i = 0; i < listed; i++)
        if (list[i].kind != DIFFLNS_AGENT_COUNT) print_violation(&list[i]);
    printf("status=%s violations=%lld soc=%lld makespan=%d sum_of_distances=%lld agents=%d\n",
           result.violations ? "invalid" : "valid", (long long)result.violations, (long long)result.soc,
           result.makespan, (long long)difflns_instance_sum_of_distances(instance), difflns_instance_agents(instance));
    difflns_plan_free(plan);
    difflns_instance_free(instance);
    return result.violations ? 1 : 0;
}

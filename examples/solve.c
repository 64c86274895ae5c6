/* Solve an instance with the library: a solver with options by name, events, the plan, the report, and what can go
 * wrong. */
#include <difflns.h>
#include <stdio.h>

static void tell(void *user, const difflns_event *event)
{
    if (difflns_event_kind(event) == DIFFLNS_EVENT_BETTER_PLAN)
        fprintf(user, "%.2f s: a plan that costs %lld\n", difflns_event_seconds(event),
                (long long)difflns_event_soc(event));
}

int main(void)
{
    difflns_error err;
    difflns_instance *instance = NULL;
    difflns_solver *solver = NULL;
    difflns_plan *plan = NULL;
    if (difflns_instance_load("data/rooms.map", "data/rooms.scen", 0, &instance, &err) != DIFFLNS_OK ||
        difflns_solver_create(&solver, &err) != DIFFLNS_OK ||
        /* The same result every time, on any number of threads ... */
        difflns_solver_set_number(solver, "iterations", 20000, &err) != DIFFLNS_OK ||
        /* ... and what repair leaves of them goes into a lower sum of costs. */
        difflns_solver_set(solver, "stop", "limit", &err) != DIFFLNS_OK ||
        difflns_solver_set_listener(solver, tell, stderr, &err) != DIFFLNS_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    difflns_status status = difflns_solver_solve(solver, instance, &plan, &err);
    if (status == DIFFLNS_OK)
        printf("first plan costs %lld, the best %lld, no plan less than %lld\n",
               (long long)difflns_solver_first_soc(solver), (long long)difflns_solver_soc(solver),
               (long long)difflns_solver_sum_of_distances(solver));
    else
        printf("%s: %s\n", difflns_status_name(status), err.message);
    difflns_plan_free(plan);
    difflns_solver_free(solver);
    difflns_instance_free(instance);
    return status == DIFFLNS_OK ? 0 : 1;
}

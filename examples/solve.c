/* Solve an instance with the library: options, the plan, the report, and what can go wrong. */
#include <difflns.h>
#include <stdio.h>

static void tell(void *user, const char *line)
{
    fprintf(user, "%s\n", line);
}

int main(void)
{
    difflns_error err;
    difflns_instance *instance;
    if (difflns_instance_load("data/rooms.map", "data/rooms.scen", 0, &instance, &err) != DIFFLNS_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    difflns_options options;
    difflns_options_default(&options);
    options.seconds = 30;
    options.iterations = 20000; /* the same result every time, on any number of threads */
    options.anytime = 1;        /* what repair leaves of them goes into a lower sum of costs */
    options.progress = tell;
    options.user = stderr;

    difflns_plan *plan;
    difflns_report report;
    difflns_status status = difflns_solve(instance, &options, &plan, &report, &err);
    if (status == DIFFLNS_OK)
        printf("first plan costs %lld, the best %lld, no plan less than %lld\n", (long long)report.first_soc,
               (long long)report.soc, (long long)report.sum_of_distances);
    else
        printf("%s: %s\n", difflns_status_name(status), err.message);
    difflns_report_free(&report);
    difflns_plan_free(plan);
    difflns_instance_free(instance);
    return status == DIFFLNS_OK ? 0 : 1;
}

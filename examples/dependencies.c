/* A controller's loop: a plan is executed by its dependencies while robots are late at random. */
#include <difflns.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    return EXIT_FAILURE;
}

/* Drives until everybody has arrived. Returns the instants it took, -1 if memory is out. */
static int drive(const difflns_dependencies *dependencies, int agents)
{
    int32_t *progress = calloc((size_t)agents, sizeof *progress); /* steps made, from the robots themselves */
    uint8_t *late = calloc((size_t)agents, 1), *go = calloc((size_t)agents, 1);
    int instants = progress && late && go ? 0 : -1;
    for (int moving = agents; instants >= 0 && moving > 0; instants++) {
        moving = 0;
        for (int i = 0; i < agents; i++) late[i] = rand() % 10 == 0;
        difflns_dependencies_next(dependencies, progress, late, go, NULL);
        for (int i = 0; i < agents; i++) {
            if (go[i]) progress[i]++; /* send the robot to cell number progress[i] of its path */
            moving += progress[i] < difflns_dependencies_steps(dependencies, i);
        }
    }
    free(progress);
    free(late);
    free(go);
    return instants;
}

int main(void)
{
    difflns_error err;
    difflns_instance *instance;
    if (difflns_instance_load("data/rooms.map", "data/rooms.scen", 0, &instance, &err)) return fail(err.message);
    difflns_plan *plan;
    if (difflns_plan_read(instance, "data/rooms-solved.json", &plan, &err)) return fail(err.message);
    difflns_dependencies *dependencies;
    if (difflns_dependencies_create(instance, plan, &dependencies, &err)) return fail(err.message);

    srand(1);
    printf("%lld dependencies, everybody there after %d instants\n",
           (long long)difflns_dependencies_count(dependencies), drive(dependencies, difflns_instance_agents(instance)));

    difflns_dependencies_free(dependencies);
    difflns_plan_free(plan);
    difflns_instance_free(instance);
    return EXIT_SUCCESS;
}

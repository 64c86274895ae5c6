/* Read two plans of one instance and write a page that plays them side by side: example_write_page > rooms.html */
#include <difflns.h>
#include <stdio.h>

int main(void)
{
    difflns_error err;
    difflns_instance *instance = NULL;
    difflns_plan *shortest = NULL, *solved = NULL;
    int failed =
        difflns_instance_load("data/rooms.map", "data/rooms.scen", 0, &instance, &err) != DIFFLNS_OK ||
        difflns_plan_read(instance, "data/rooms-shortest.json", &shortest, &err) != DIFFLNS_OK ||
        difflns_plan_read(instance, "data/rooms-solved.json", &solved, &err) != DIFFLNS_OK ||
        difflns_page_write(instance, shortest, "Each agent for itself", solved, "Solved", "-", &err) != DIFFLNS_OK;
    if (failed) fprintf(stderr, "%s\n", err.message);
    difflns_plan_free(solved);
    difflns_plan_free(shortest);
    difflns_instance_free(instance);
    return failed;
}

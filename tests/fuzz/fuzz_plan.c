/* Plans of all formats: what is read is complete, can be checked, and survives our own path text. */
#include <string.h>

#include "fuzz.h"
#include "mapf/check.h"
#include "mapf/plan_format.h"
#include "mapf/plan_io.h"

static dl_instance *toy(void)
{
    static const uint8_t BLOCKED[4 * 5] = {[6] = 1, [8] = 1, [17] = 1};
    static const dl_task TASKS[3] = {
        {.start = {0, 0}, .goal = {0, 4}}, {.start = {0, 4}, .goal = {2, 0}}, {.start = {2, 2}, .goal = {3, 3}}};
    dl_grid *grid;
    dl_instance *instance;
    MUST(dl_grid_create(4, 5, BLOCKED, &grid, NULL) == DIFFLNS_OK);
    MUST(dl_instance_create(grid, "toy.map", "toy.scen", 3, TASKS, &instance, NULL) == DIFFLNS_OK);
    return instance;
}

static void round_trip(const dl_instance *instance, const dl_plan *plan)
{
    char *text;
    size_t length;
    dl_plan *again;
    FILE *stream = open_memstream(&text, &length);
    dl_plan_paths_write(stream, instance, plan, NULL);
    fclose(stream);
    MUST(dl_plan_parse(instance, "again", text, length, DIFFLNS_ORDER_ROWCOL, &again, NULL) == DIFFLNS_OK);
    MUST(again->agents == plan->agents && dl_plan_soc(again) == dl_plan_soc(plan));
    dl_plan_free(again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { LONG = 10000 }; /* counts make a million steps of a few bytes: reading those is enough */
    dl_instance *instance = toy();
    dl_plan *plan;
    dl_error err;
    if (dl_plan_parse(instance, "fuzz", (const char *)data, size, DIFFLNS_ORDER_AUTO, &plan, &err) == DIFFLNS_OK) {
        int longest = 0;
        for (int agent = 0; agent < plan->agents; agent++) {
            MUST(plan->path[agent].length > 0);
            if (plan->path[agent].length > longest) longest = plan->path[agent].length;
        }
        if (longest < LONG) {
            dl_check_valid(instance, plan);
            round_trip(instance, plan);
        }
        dl_plan_free(plan);
    } else {
        MUST(err.status == DIFFLNS_BAD_INPUT && !strchr(err.message, '\n'));
    }
    dl_instance_free(instance);
    return 0;
}

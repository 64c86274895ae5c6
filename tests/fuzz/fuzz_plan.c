/* Plans of all formats: what is read is complete, can be checked, and survives our own path text. */
#include <string.h>

#include "formats/plan_format.h"
#include "formats/plan_io.h"
#include "fuzz.h"
#include "mapf/check.h"

/* NULL when memory is out. */
static dl_instance *toy(void)
{
    static const uint8_t BLOCKED[4 * 5] = {[6] = 1, [8] = 1, [17] = 1};
    static const dl_task TASKS[3] = {
        {.start = {0, 0}, .goal = {0, 4}}, {.start = {0, 4}, .goal = {2, 0}}, {.start = {2, 2}, .goal = {3, 3}}};
    dl_grid *grid;
    dl_instance *instance;
    if (dl_grid_create(4, 5, BLOCKED, &grid, NULL) == DIFFLNS_OK &&
        dl_instance_create(grid, "toy.map", "toy.scen", 3, TASKS, &instance, NULL) == DIFFLNS_OK)
        return instance;
    MUST(fuzz_starved());
    return NULL;
}

static void round_trip(const dl_instance *instance, const dl_plan *plan)
{
    char *text = NULL;
    size_t length;
    dl_plan *again;
    FILE *stream = open_memstream(&text, &length);
    if (stream) dl_plan_paths_write(stream, instance, plan, NULL);
    bool failed = !stream || ferror(stream);
    bool written = stream && fclose(stream) == 0 && !failed && text; /* libc has no other word for it */
    if (!written || dl_plan_parse(instance, "again", text, length, DIFFLNS_ORDER_ROWCOL, &again, NULL) != DIFFLNS_OK) {
        MUST(fuzz_starved());
        free(text);
        return;
    }
    MUST(again->agents == plan->agents && dl_plan_soc(again) == dl_plan_soc(plan));
    dl_plan_free(again);
    free(text);
}

const bool FUZZ_WITHOUT_MEMORY = true;

void fuzz_one(const uint8_t *data, size_t size)
{
    enum { LONG = 10000 }; /* counts make a million steps of a few bytes: reading those is enough */
    dl_instance *instance = toy();
    if (!instance) return;
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
        MUST(err.status == DIFFLNS_BAD_INPUT || (err.status == DIFFLNS_OUT_OF_MEMORY && fuzz_starved()));
        MUST(!strchr(err.message, '\n'));
    }
    dl_instance_free(instance);
}

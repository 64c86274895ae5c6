/* MovingAI scenarios on a fixed map. */
#include "formats/movingai.h"
#include "fuzz.h"

const bool FUZZ_WITHOUT_MEMORY = true;

void fuzz_one(const uint8_t *data, size_t size)
{
    static const uint8_t BLOCKED[4 * 5] = {[6] = 1, [8] = 1, [17] = 1};
    dl_grid *grid;
    dl_task *tasks;
    int count;
    dl_error err;
    if (dl_grid_create(4, 5, BLOCKED, &grid, &err) != DIFFLNS_OK) {
        MUST(fuzz_starved());
        return;
    }
    if (dl_movingai_read_scen("fuzz", (const char *)data, size, grid, 0, &tasks, &count, &err) != DIFFLNS_OK) {
        dl_grid_free(grid);
        return;
    }
    dl_instance *instance;
    if (dl_instance_create(grid, "fuzz.map", "fuzz", count, tasks, &instance, &err) == DIFFLNS_OK) {
        MUST(instance->agents == count && count <= 17);
        dl_instance_free(instance);
    }
    free(tasks);
}

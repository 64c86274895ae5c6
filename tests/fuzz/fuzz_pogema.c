/* POGEMA YAML: one text serves as maps file and as scenario file. */
#include <string.h>

#include "formats/pogema.h"
#include "fuzz.h"

const bool FUZZ_WITHOUT_MEMORY = true;

void fuzz_one(const uint8_t *data, size_t size)
{
    dl_pogema *file;
    dl_error err;
    dl_pogema_looks_like((const char *)data, size);
    if (dl_pogema_parse("fuzz", (const char *)data, size, &file, &err) != DIFFLNS_OK) {
        MUST(!strchr(err.message, '\n'));
        return;
    }
    dl_grid *grid;
    char *name, *map_name;
    dl_task *drawn, *tasks;
    int drawn_count, count;
    dl_status map = dl_pogema_read_map(file, NULL, &grid, &name, &drawn, &drawn_count, &err);
    dl_status scenario = dl_pogema_read_scenario(file, NULL, &map_name, &tasks, &count, &err);
    dl_instance *instance;
    bool placed = map == DIFFLNS_OK && (scenario == DIFFLNS_OK || drawn_count > 0);
    if (placed && dl_instance_create(grid, name, "fuzz", scenario == DIFFLNS_OK ? count : drawn_count,
                                     scenario == DIFFLNS_OK ? tasks : drawn, &instance, &err) == DIFFLNS_OK)
        dl_instance_free(instance);
    if (!placed) dl_grid_free(grid);
    free(name);
    free(map_name);
    free(drawn);
    free(tasks);
    dl_pogema_free(file);
}

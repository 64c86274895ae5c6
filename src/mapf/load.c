#include "mapf/load.h"

#include <stdlib.h>

#include "base/file.h"
#include "mapf/movingai.h"

dl_status dl_instance_load(const char *map_path, const char *scen_path, int agents, dl_instance **out, dl_error *err)
{
    *out = NULL;
    dl_file map, scen;
    DL_TRY(dl_file_read(map_path, &map, err));
    dl_grid *grid = NULL;
    dl_status status = dl_movingai_read_map(map_path, map.data, map.size, &grid, err);
    dl_file_free(&map);
    if (status != DIFFLNS_OK) return status;
    dl_task *tasks = NULL;
    int count = 0;
    status = dl_file_read(scen_path, &scen, err);
    if (status == DIFFLNS_OK) {
        status = dl_movingai_read_scen(scen_path, scen.data, scen.size, grid, agents, &tasks, &count, err);
        dl_file_free(&scen);
    }
    if (status != DIFFLNS_OK) {
        dl_grid_free(grid);
        return status;
    }
    status = dl_instance_create(grid, dl_file_base_name(map_path), scen_path, count, tasks, out, err);
    free(tasks);
    return status;
}

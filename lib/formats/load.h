/* Instances from and to files, whatever their format and compression. For tools. */
#ifndef DL_FORMATS_LOAD_H
#define DL_FORMATS_LOAD_H

#include "mapf/instance.h"

/* A file to read, or its bytes if they are at hand already. */
typedef struct dl_input {
    const char *path; /* for messages, if there are bytes */
    const void *bytes;
    size_t size;
} dl_input;

/* The first `agents` tasks of the scenario (0 = all). */
dl_status dl_instance_load(const char *map_path, const char *scen_path, int agents, dl_instance **out, dl_error *err);
/* The same, choosing a map and a scenario by name from POGEMA files that hold several; see difflns_instance_load_named.
 */
dl_status dl_instance_load_named(const char *map_path, const char *map_name, const char *scen_path,
                                 const char *scenario, int agents, dl_instance **out, dl_error *err);
/* The same with bytes instead of files; `scen` may be NULL. */
dl_status dl_instance_read(const dl_input *map, const char *map_name, const dl_input *scen, const char *scenario,
                           int agents, dl_instance **out, dl_error *err);
/* A map alone; `map_name` as above. */
dl_status dl_map_read(const dl_input *map, const char *map_name, dl_map **out, dl_error *err);
/* Writes the map or the scenario: POGEMA when `path` ends in .yaml or .yml, MovingAI otherwise. */
dl_status dl_instance_write_map(const dl_instance *instance, const char *path, dl_error *err);
dl_status dl_instance_write_scen(const dl_instance *instance, const char *path, dl_error *err);

#endif

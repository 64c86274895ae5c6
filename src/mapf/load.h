/* Instances from files, whatever their format and compression. */
#ifndef DL_MAPF_LOAD_H
#define DL_MAPF_LOAD_H

#include "mapf/instance.h"

/* The first `agents` tasks of the scenario (0 = all). */
dl_status dl_instance_load(const char *map_path, const char *scen_path, int agents, dl_instance **out, dl_error *err);

#endif

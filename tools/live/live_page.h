/* A run of a fleet as a page that plays it. */
#ifndef DL_LIVE_LIVE_PAGE_H
#define DL_LIVE_LIVE_PAGE_H

#include "live/simulation.h"

/* Of a run whose positions were kept. */
dl_status dl_live_page_write(dl_map *map, const dl_live_run *run, const char *map_name, const char *path,
                             dl_error *err);

#endif

/* The diffusion start as its parts, for starts that differ from it in one of them. For tools. */
#ifndef DL_START_DIFFUSION_H
#define DL_START_DIFFUSION_H

#include "diffusion/sampler.h"
#include "start/start.h"

/* The instance as the network sees it, made once for all drafts of `starts`; NULL when memory is out. Any thread. */
const dl_scene *dl_start_scene(dl_starts *starts);
/* Draft number `index`, the caller's to free; not OK if time or memory is out before there is one, or the map is too
 * large. Any thread. */
dl_status dl_start_draft(dl_starts *starts, uint64_t index, const dl_deadline *deadline, dl_draft *draft);

#endif

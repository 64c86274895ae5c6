/* How many agents to replan together, learned from what sizes have gained for a search: on full boards only few agents
 * at a time find other ways. */
#ifndef DL_LNS_NEIGHBORHOOD_SIZE_H
#define DL_LNS_NEIGHBORHOOD_SIZE_H

#include <stdbool.h>

#include "base/rng.h"

enum { DL_SIZE_CLASSES = 3 }; /* pairs, small and large neighborhoods */

/* What neighborhoods of a class came to lately. */
typedef struct dl_size_record {
    double gain, searches;
    double changes; /* kept since dl_sizes_share_gain() */
} dl_size_record;

typedef struct dl_sizes {
    int most;
    dl_size_record known[DL_SIZE_CLASSES];
    int drawn; /* the class of the last one drawn */
} dl_sizes;

/* Nothing is known yet; no neighborhood has more than `most` agents. */
void dl_sizes_start(dl_sizes *s, int most);
/* From two agents to the most. */
int dl_sizes_draw(dl_sizes *s, dl_rng *rng);
/* What the last one drawn came to. */
void dl_sizes_reward(dl_sizes *s, bool kept, int64_t gain, uint64_t searches);
/* Changes since the last call made it possible to gain this by other means: it is shared among the sizes they had. */
void dl_sizes_share_gain(dl_sizes *s, int64_t gain);

#endif

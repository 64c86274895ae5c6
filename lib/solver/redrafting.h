/* Redrafting inside improvement: the best plan gets noise, the network draws it anew, repair and improvement go on from
 * there. Search knows nothing of networks: this hands it the drawing (lns/kick.h). For tools. */
#ifndef DL_SOLVER_REDRAFTING_H
#define DL_SOLVER_REDRAFTING_H

#include "lns/kick.h"
#include "start/start.h"

typedef struct dl_redrafting dl_redrafting;

/* With the model of the starts. NULL if there is none, the instance is too large for so many threads that draw at once,
 * or memory is out: redrafts are a help, never a need. */
dl_redrafting *dl_redrafting_create(dl_starts *starts, int threads);
void dl_redrafting_free(dl_redrafting *r);

/* For search; any number of threads. NULL for NULL. */
const dl_redrafter *dl_redrafting_redrafter(const dl_redrafting *r);

#endif

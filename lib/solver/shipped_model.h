/* The shipped weights lie inside the library, so that it needs no data directory. */
#ifndef DL_SOLVER_SHIPPED_MODEL_H
#define DL_SOLVER_SHIPPED_MODEL_H

#include "diffusion/model.h"

dl_status dl_shipped_model_load(dl_model **out, dl_error *err);

#endif

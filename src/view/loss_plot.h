/* The curves of a training run as one SVG: loss, and how many pairs of agents collide in drafts. */
#ifndef DL_VIEW_LOSS_PLOT_H
#define DL_VIEW_LOSS_PLOT_H

#include "base/status.h"

typedef struct dl_loss_point {
    double epoch, loss;
    double pairs, path_pairs; /* colliding pairs per agent: drafts, shortest paths; negative = not measured */
} dl_loss_point;

dl_status dl_loss_plot_write(const char *path, const dl_loss_point *points, int count, dl_error *err);

#endif

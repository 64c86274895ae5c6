/* The curves of a training run as one SVG: loss, and how many pairs of agents collide in drafts. */
#ifndef DL_PLOT_LOSS_PLOT_H
#define DL_PLOT_LOSS_PLOT_H

#include "base/status.h"

typedef struct dl_loss_point {
    double epoch, loss;
    /* Colliding pairs per agent, of drafts and of prioritized planning; negative = not measured. */
    double pairs, prioritized_pairs;
} dl_loss_point;

dl_status dl_loss_plot_write(const char *path, const dl_loss_point *points, int count, dl_error *err);

#endif

/* Layer normalization with a gain and a shift that may differ from group to group (AdaLN; one group is the plain layer
 * norm): y = (1 + gain) * (x - mean) / deviation + shift. */
#ifndef DL_NN_LAYER_NORM_H
#define DL_NN_LAYER_NORM_H

#include "nn/real.h"

/* Row r of group g is row g * group_step + r * row_step of a matrix: lets the output be written in another order. */
typedef struct dl_row_order {
    int group_step, row_step;
} dl_row_order;

/* modulation is (groups, stride) and holds gain then shift, `width` each; x in order `from`, y in order `to`;
 * statistics is (rows of x, 2) in order `from`: mean and 1 / deviation; carry gets a copy of x; both may be NULL. */
void dl_layer_norm_forward(int groups, int rows, int width, const real *modulation, int stride, const real *x,
                           dl_row_order from, real *y, dl_row_order to, real *statistics, real *carry);
/* dy in order `to`; dx in order `from` is added to; modulation_gradient (groups, stride) is added to. */
void dl_layer_norm_backward(int groups, int rows, int width, const real *modulation, int stride, const real *x,
                            dl_row_order from, const real *dy, dl_row_order to, const real *statistics, real *dx,
                            real *modulation_gradient);

#endif

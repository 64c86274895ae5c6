/* Linear layer: y = x W^T + b. W is (out, in), b is (out), both in the parameter vector. */
#ifndef DL_NN_LINEAR_H
#define DL_NN_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

#include "nn/real.h"

typedef struct dl_linear {
    int in, out;
    size_t weight, bias; /* places in the parameter vector, and in that of gradients */
} dl_linear;

/* x is (rows, in) with x_stride reals from row to row, y is (rows, out); `add` adds to y instead of replacing it. */
void dl_linear_forward(const dl_linear *layer, const real *parameters, int rows, const real *x, int x_stride, real *y,
                       int y_stride, bool add);
/* dy is (rows, out); dx (rows, in) is replaced, or added to. */
void dl_linear_backward_input(const dl_linear *layer, const real *parameters, int rows, const real *dy, int dy_stride,
                              real *dx, int dx_stride, bool add);
/* x as in forward, dy as above; the gradients of weight and bias are added to. */
void dl_linear_backward_weight(const dl_linear *layer, int rows, const real *x, int x_stride, const real *dy,
                               int dy_stride, real *gradient);

#endif

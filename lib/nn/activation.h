/* Elementwise GELU over whole arrays. */
#ifndef DL_NN_ACTIVATION_H
#define DL_NN_ACTIVATION_H

#include <stddef.h>

#include "nn/real.h"

/* x, y are (count); y may be x. */
void dl_gelu_forward(size_t count, const real *x, real *y);
/* x, y, dy are (count): y = gelu(x) again, and dy, the gradient of y, becomes that of x. */
void dl_gelu_backward(size_t count, const real *x, real *y, real *dy);

#endif

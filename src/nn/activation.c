#include "nn/activation.h"

#include "nn/simd.h"

void dl_gelu_forward(size_t count, const real *x, real *y)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++) y[i] = dl_gelu(x[i]);
}

void dl_gelu_backward(size_t count, const real *x, real *y, real *dy)
{
    if (!y) {
#pragma omp simd
        for (size_t i = 0; i < count; i++) dy[i] *= dl_gelu_slope(x[i]);
        return;
    }
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        real v = x[i], s = dl_sigmoid(2 * DL_GELU_SCALE * (v + DL_GELU_CUBIC * v * v * v));
        y[i] = v * s;
        dy[i] *= s + v * s * (1 - s) * 2 * DL_GELU_SCALE * (1 + 3 * DL_GELU_CUBIC * v * v);
    }
}

#include "nn/linear.h"

#include <assert.h>
#include <string.h>

#include "nn/gemm.h"

static void put_bias(int rows, int out, const real *restrict bias, real *restrict y, int y_stride, bool add)
{
    for (int r = 0; r < rows; r++) {
        real *restrict row = y + (size_t)r * (size_t)y_stride;
        if (add)
            for (int i = 0; i < out; i++) row[i] += bias[i];
        else
            memcpy(row, bias, sizeof(real) * (size_t)out);
    }
}

void dl_linear_forward(const dl_linear *layer, const real *parameters, int rows, const real *x, int x_stride, real *y,
                       int y_stride, bool add)
{
    assert(x_stride >= layer->in && y_stride >= layer->out);
    put_bias(rows, layer->out, parameters + layer->bias, y, y_stride, add);
    dl_gemm(DL_PLAIN, DL_TRANSPOSED, rows, layer->out, layer->in, x, x_stride, parameters + layer->weight, layer->in,
            true, y, y_stride);
}

void dl_linear_backward_input(const dl_linear *layer, const real *parameters, int rows, const real *dy, int dy_stride,
                              real *dx, int dx_stride, bool add)
{
    assert(dy_stride >= layer->out && dx_stride >= layer->in);
    dl_gemm(DL_PLAIN, DL_PLAIN, rows, layer->in, layer->out, dy, dy_stride, parameters + layer->weight, layer->in, add,
            dx, dx_stride);
}

void dl_linear_backward_weight(const dl_linear *layer, int rows, const real *x, int x_stride, const real *dy,
                               int dy_stride, real *gradient)
{
    real *restrict bias = gradient + layer->bias;
    for (int r = 0; r < rows; r++) {
        const real *restrict row = dy + (size_t)r * (size_t)dy_stride;
        for (int i = 0; i < layer->out; i++) bias[i] += row[i];
    }
    dl_gemm(DL_TRANSPOSED, DL_PLAIN, layer->out, layer->in, rows, dy, dy_stride, x, x_stride, true,
            gradient + layer->weight, layer->in);
}

#include "nn/layer_norm.h"

#include <stddef.h>
#include <string.h>
#include <tgmath.h>

#include "nn/simd.h"

#define EPSILON (real)1e-5 /* added to the variance, as everywhere in the field */

static size_t row_of(dl_row_order order, int group, int row)
{
    return (size_t)group * (size_t)order.group_step + (size_t)row * (size_t)order.row_step;
}

void dl_layer_norm_forward(int groups, int rows, int width, const real *modulation, int stride, const real *x,
                           dl_row_order from, real *y, dl_row_order to, real *statistics, real *carry)
{
    for (int g = 0; g < groups; g++) {
        const real *restrict gain = modulation + (size_t)g * (size_t)stride, *restrict shift = gain + width;
        for (int r = 0; r < rows; r++) {
            size_t source = row_of(from, g, r);
            const real *restrict in = x + source * (size_t)width;
            real *restrict out = y + row_of(to, g, r) * (size_t)width;
            real sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
            for (int i = 0; i < width; i++) sum += in[i];
            real mean = sum / (real)width;
#pragma omp simd reduction(+ : squares)
            for (int i = 0; i < width; i++) squares += (in[i] - mean) * (in[i] - mean);
            real scale = 1 / sqrt(squares / (real)width + EPSILON);
            for (int i = 0; i < width; i++) out[i] = (1 + gain[i]) * ((in[i] - mean) * scale) + shift[i];
            if (statistics) {
                statistics[2 * source] = mean;
                statistics[2 * source + 1] = scale;
            }
            if (carry) memcpy(carry + source * (size_t)width, in, sizeof(real) * (size_t)width);
        }
    }
}

void dl_layer_norm_backward(int groups, int rows, int width, const real *modulation, int stride, const real *x,
                            dl_row_order from, const real *dy, dl_row_order to, const real *statistics, real *dx,
                            real *modulation_gradient)
{
    for (int g = 0; g < groups; g++) {
        const real *restrict gain = modulation + (size_t)g * (size_t)stride;
        real *restrict gain_gradient = modulation_gradient + (size_t)g * (size_t)stride;
        real *restrict shift_gradient = gain_gradient + width;
        for (int r = 0; r < rows; r++) {
            size_t source = row_of(from, g, r);
            const real *restrict in = x + source * (size_t)width;
            const real *restrict d = dy + row_of(to, g, r) * (size_t)width;
            real *restrict out = dx + source * (size_t)width;
            real mean = statistics[2 * source], scale = statistics[2 * source + 1], sum = 0, dot = 0;
#pragma omp simd reduction(+ : sum, dot)
            for (int i = 0; i < width; i++) {
                real normal = (in[i] - mean) * scale, inner = d[i] * (1 + gain[i]);
                sum += inner;
                dot += inner * normal;
                gain_gradient[i] += d[i] * normal;
                shift_gradient[i] += d[i];
            }
            sum /= (real)width;
            dot /= (real)width;
            for (int i = 0; i < width; i++) {
                real normal = (in[i] - mean) * scale;
                out[i] += scale * (d[i] * (1 + gain[i]) - sum - normal * dot);
            }
        }
    }
}

#include "nn/adamw.h"

#include <assert.h>
#include <tgmath.h>

dl_adamw dl_adamw_default(double rate, double decay)
{
    return (dl_adamw){.rate = rate, .decay = decay, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8};
}

double dl_norm(size_t count, const real *vector)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < count; i++) sum += (double)vector[i] * (double)vector[i];
    return sqrt(sum);
}

double dl_clip_factor(double norm, double limit)
{
    return limit > 0 && norm > limit ? limit / norm : 1;
}

void dl_adamw_step(const dl_adamw *optimizer, uint64_t step, size_t count, double factor, const real *gradient,
                   real *parameters, real *first, real *second, int decays)
{
    assert(step >= 1 && optimizer->rate >= 0);
    double first_left = 1 - pow(optimizer->beta1, (double)step), second_left = 1 - pow(optimizer->beta2, (double)step);
    real beta1 = (real)optimizer->beta1, beta2 = (real)optimizer->beta2, scale = (real)factor;
    real rate = (real)(optimizer->rate / first_left), correction = (real)(1 / sqrt(second_left));
    real epsilon = (real)optimizer->epsilon, keep = decays ? (real)(1 - optimizer->rate * optimizer->decay) : 1;
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        real g = gradient[i] * scale;
        first[i] = beta1 * first[i] + (1 - beta1) * g;
        second[i] = beta2 * second[i] + (1 - beta2) * g * g;
        parameters[i] = keep * parameters[i] - rate * first[i] / (sqrt(second[i]) * correction + epsilon);
    }
}

#include "bench/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rng.h"
#include "memory/need.h"

static const double NORMAL_POINT = 1.959963984540054; /* 97.5% of the normal distribution */

double dl_student_point(int freedom)
{
    static const double FEW[] = {0,      12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646,
                                 2.3060, 2.2622,  2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314,
                                 2.1199, 2.1098,  2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687,
                                 2.0639, 2.0595,  2.0555, 2.0518, 2.0484, 2.0452, 2.0423};
    if (freedom < 1) return NAN;
    if (freedom < (int)(sizeof FEW / sizeof FEW[0])) return FEW[freedom];
    double z = NORMAL_POINT, n = freedom; /* the first terms of its expansion around the normal point */
    return z + (pow(z, 3) + z) / (4 * n) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * n * n);
}

dl_estimate dl_mean(const double *values, int count)
{
    dl_estimate e = {NAN, NAN, NAN, count};
    if (count == 0) return e;
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++) sum += values[i];
    e.value = sum / count;
    for (int i = 0; i < count; i++) squares += (values[i] - e.value) * (values[i] - e.value);
    if (count < DL_LEAST_FOR_INTERVAL) return e;
    double half = dl_student_point(count - 1) * sqrt(squares / (count - 1) / count);
    e.low = e.value - half;
    e.high = e.value + half;
    return e;
}

dl_estimate dl_share(int hits, int count)
{
    dl_estimate e = {NAN, NAN, NAN, count};
    if (count == 0) return e;
    double n = count, p = hits / n, z = NORMAL_POINT;
    double center = (p + z * z / (2 * n)) / (1 + z * z / n);
    double half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    e.value = p;
    e.low = hits == 0 ? 0 : center - half;
    e.high = hits == count ? 1 : center + half;
    return e;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double dl_ranked(const double *values, int count, int rank)
{
    double *sorted = needed(DL_ARRAY(double, count));
    memcpy(sorted, values, sizeof *values * (size_t)count);
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    double value = sorted[rank];
    free(sorted);
    return value;
}

double dl_quantile(const double *values, int count, double share)
{
    if (count == 0) return NAN;
    double place = share * (count - 1), part = place - floor(place);
    double value = dl_ranked(values, count, (int)place);
    if (part == 0) return value;
    double above = dl_ranked(values, count, (int)place + 1);
    return isinf(above) ? above : value + part * (above - value);
}

dl_estimate dl_geometric_mean(const double *logs, int count)
{
    enum { SAMPLES = 2000 };
    dl_estimate mean = dl_mean(logs, count);
    dl_estimate e = {exp(mean.value), NAN, NAN, count};
    if (count < DL_LEAST_FOR_INTERVAL) return e;
    double *sample = needed(DL_ARRAY(double, SAMPLES));
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('b', 'o', 'o', 't'), 0);
    for (int s = 0; s < SAMPLES; s++) {
        for (int i = 0; i < count; i++) sample[s] += logs[dl_rng_below(&rng, (uint32_t)count)];
        sample[s] /= count;
    }
    e.low = exp(dl_quantile(sample, SAMPLES, 0.025));
    e.high = exp(dl_quantile(sample, SAMPLES, 0.975));
    free(sample);
    return e;
}

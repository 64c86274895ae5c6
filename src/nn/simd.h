/* Vectors of 32 bytes through the compiler's vector extension, and elementary functions that gcc and clang vectorise
 * when they stand in a plain loop. In float they are accurate to a few units in the last place; in double they are the
 * C library's. */
#ifndef DL_NN_SIMD_H
#define DL_NN_SIMD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "nn/real.h"

enum { DL_LANES = 32 / sizeof(real) };

typedef real dl_vector __attribute__((vector_size(32)));
typedef real dl_vector_anywhere __attribute__((vector_size(32), aligned(sizeof(real)), may_alias));

#define DL_INLINE static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi" /* everything here is inlined, so no vector crosses a call */

/* `count` rounded up to whole vectors. */
#define DL_PADDED(count) (((count) + (int)DL_LANES - 1) / (int)DL_LANES * (int)DL_LANES)

DL_INLINE dl_vector dl_load(const real *p)
{
    return *(const dl_vector_anywhere *)p;
}

DL_INLINE void dl_store(real *p, dl_vector v)
{
    *(dl_vector_anywhere *)p = v;
}

DL_INLINE dl_vector dl_splat(real x)
{
    return x - (dl_vector){0};
}

/* out[i] = the sum of the lanes of the i-th vector, for four vectors at the price of about one. */
DL_INLINE void dl_sum4(dl_vector a, dl_vector b, dl_vector c, dl_vector d, real out[4])
{
#ifdef DL_REAL_DOUBLE
    dl_vector ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
    dl_vector cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
    dl_vector sum = __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    dl_store(out, sum);
#else
    dl_vector ab = __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14) +
                   __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
    dl_vector cd = __builtin_shufflevector(c, d, 0, 2, 8, 10, 4, 6, 12, 14) +
                   __builtin_shufflevector(c, d, 1, 3, 9, 11, 5, 7, 13, 15);
    dl_vector sum = __builtin_shufflevector(ab, cd, 0, 2, 8, 10, 4, 6, 12, 14) +
                    __builtin_shufflevector(ab, cd, 1, 3, 9, 11, 5, 7, 13, 15);
    for (int i = 0; i < 4; i++) out[i] = sum[i] + sum[i + 4];
#endif
}

#ifdef DL_REAL_DOUBLE
#define DL_TINY 1e-300

DL_INLINE real dl_exp(real x)
{
    return exp(x);
}
#else
#define DL_TINY 1e-37f

/* 2^n * p(r) with x = n ln2 + r, |r| <= ln2 / 2; arguments beyond the range of float are clipped to it. */
DL_INLINE real dl_exp(real x)
{
    const float shift = 12582912.0f; /* 1.5 * 2^23: adding it leaves round(x) in the low bits */
    x = x < -87.0f ? -87.0f : x;
    x = x > 88.0f ? 88.0f : x;
    float t = x * 1.44269504f + shift;
    float n = t - shift;
    float r = x - n * 0.693359375f;
    r += n * 2.12194440e-4f;
    float p = 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    uint32_t exponent, bits;
    memcpy(&exponent, &t, sizeof t);
    memcpy(&bits, &p, sizeof p);
    bits += exponent << 23;
    memcpy(&p, &bits, sizeof p);
    return p;
}
#endif

/* The same for each lane. */
DL_INLINE dl_vector dl_exp_lanes(dl_vector x)
{
    dl_vector y;
    for (int i = 0; i < DL_LANES; i++) y[i] = dl_exp(x[i]);
    return y;
}

/* The largest lane; the sum of the lanes. */
DL_INLINE real dl_highest_lane(dl_vector v)
{
    real highest = v[0];
    for (int i = 1; i < DL_LANES; i++) highest = v[i] > highest ? v[i] : highest;
    return highest;
}

DL_INLINE dl_vector dl_max(dl_vector a, dl_vector b)
{
    dl_vector larger;
    for (int i = 0; i < DL_LANES; i++) larger[i] = a[i] > b[i] ? a[i] : b[i];
    return larger;
}

DL_INLINE real dl_sum_lanes(dl_vector v)
{
    real sum = 0;
    for (int i = 0; i < DL_LANES; i++) sum += v[i];
    return sum;
}

DL_INLINE real dl_sigmoid(real x)
{
    return 1 / (1 + dl_exp(-x));
}

DL_INLINE real dl_tanh(real x)
{
    return 1 - 2 / (1 + dl_exp(2 * x));
}

/* GELU in its tanh form: x * sigmoid(2 u), u = sqrt(2 / pi) (x + 0.044715 x^3). */
#define DL_GELU_SCALE (real)0.79788456080286535588
#define DL_GELU_CUBIC (real)0.044715

DL_INLINE real dl_gelu(real x)
{
    return x * dl_sigmoid(2 * DL_GELU_SCALE * (x + DL_GELU_CUBIC * x * x * x));
}

DL_INLINE real dl_gelu_slope(real x)
{
    real s = dl_sigmoid(2 * DL_GELU_SCALE * (x + DL_GELU_CUBIC * x * x * x));
    return s + x * s * (1 - s) * 2 * DL_GELU_SCALE * (1 + 3 * DL_GELU_CUBIC * x * x);
}

#endif

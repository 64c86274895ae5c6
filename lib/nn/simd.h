/* Vectors of 32 bytes through the compiler's vector extension, and elementary functions on them. In float these are
 * accurate to a few units in the last place; in double exp is the C library's. */
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

DL_INLINE dl_vector dl_max(dl_vector a, dl_vector b)
{
    dl_vector larger = a;
    for (int i = 0; i < DL_LANES; i++) larger[i] = b[i] > a[i] ? b[i] : a[i];
    return larger;
}

#ifdef DL_REAL_DOUBLE
DL_INLINE dl_vector dl_exp_lanes(dl_vector x)
{
    for (int i = 0; i < DL_LANES; i++) x[i] = exp(x[i]);
    return x;
}
#else
typedef uint32_t dl_bits __attribute__((vector_size(32)));

/* 2^n * p(r) with x = n ln2 + r, |r| <= ln2 / 2; arguments beyond the range of float are clipped to it. */
DL_INLINE dl_vector dl_exp_lanes(dl_vector x)
{
    const dl_vector low = dl_splat(-87.0f), high = dl_splat(88.0f);
    const dl_vector shift = dl_splat(12582912.0f); /* 1.5 * 2^23: adding it leaves round(x) in the low bits */
    dl_bits below = (dl_bits)(x < low), above = (dl_bits)(x > high);
    x = (dl_vector)((below & (dl_bits)low) | (~below & (dl_bits)x));
    x = (dl_vector)((above & (dl_bits)high) | (~above & (dl_bits)x));
    dl_vector t = x * 1.44269504f + shift, n = t - shift;
    dl_vector r = x - n * 0.693359375f + n * 2.12194440e-4f;
    dl_vector p = dl_splat(1.3981999507e-3f);
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    return (dl_vector)((dl_bits)p + ((dl_bits)t << 23));
}
#endif

/* The largest lane; the sum of the lanes. */
DL_INLINE real dl_highest_lane(dl_vector v)
{
    real highest = v[0];
    for (int i = 1; i < DL_LANES; i++) highest = v[i] > highest ? v[i] : highest;
    return highest;
}

DL_INLINE real dl_sum_lanes(dl_vector v)
{
    real sum = 0;
    for (int i = 0; i < DL_LANES; i++) sum += v[i];
    return sum;
}

DL_INLINE dl_vector dl_sigmoid_lanes(dl_vector x)
{
    return 1 / (1 + dl_exp_lanes(-x));
}

DL_INLINE dl_vector dl_tanh_lanes(dl_vector x)
{
    return 1 - 2 / (1 + dl_exp_lanes(2 * x));
}

/* GELU in its tanh form: x * sigmoid(2 u), u = sqrt(2 / pi) (x + 0.044715 x^3). */
#define DL_GELU_SCALE (real)0.79788456080286535588
#define DL_GELU_CUBIC (real)0.044715

DL_INLINE dl_vector dl_gelu_lanes(dl_vector x)
{
    return x * dl_sigmoid_lanes(2 * DL_GELU_SCALE * x * (1 + DL_GELU_CUBIC * x * x));
}

/* The same, and the derivative. */
DL_INLINE dl_vector dl_gelu_and_slope_lanes(dl_vector x, dl_vector *slope)
{
    dl_vector s = dl_sigmoid_lanes(2 * DL_GELU_SCALE * x * (1 + DL_GELU_CUBIC * x * x));
    *slope = s + x * s * (1 - s) * (2 * DL_GELU_SCALE) * (1 + 3 * DL_GELU_CUBIC * x * x);
    return x * s;
}

/* The first `count` < DL_LANES numbers of an array that ends after them; the other lanes are 0. */
DL_INLINE dl_vector dl_load_some(const real *p, int count)
{
    dl_vector v = {0};
    memcpy(&v, p, sizeof(real) * (size_t)count);
    return v;
}

DL_INLINE void dl_store_some(real *p, dl_vector v, int count)
{
    memcpy(p, &v, sizeof(real) * (size_t)count);
}

#endif

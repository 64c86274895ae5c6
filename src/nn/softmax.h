/* Softmax of one row, in place, and its gradient. Rows are padded to whole vectors; the padding becomes zero. */
#ifndef DL_NN_SOFTMAX_H
#define DL_NN_SOFTMAX_H

#include "nn/simd.h"

/* row is (DL_PADDED(count)). */
DL_INLINE void dl_softmax(real *row, int count)
{
    int padded = DL_PADDED(count);
    real highest = row[0], sum = 0;
    for (int i = count; i < padded; i++) row[i] = row[0];
#pragma omp simd reduction(max : highest)
    for (int i = 0; i < padded; i++) highest = row[i] > highest ? row[i] : highest;
    for (int i = 0; i < padded; i++) row[i] = dl_exp(row[i] - highest);
    for (int i = count; i < padded; i++) row[i] = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < padded; i++) sum += row[i];
    real scale = 1 / sum;
    for (int i = 0; i < padded; i++) row[i] *= scale;
}

/* probability, gradient are (DL_PADDED(count)); gradient of the outputs becomes that of the inputs. */
DL_INLINE void dl_softmax_backward(const real *probability, real *gradient, int count)
{
    int padded = DL_PADDED(count);
    real mean = 0;
    for (int i = count; i < padded; i++) gradient[i] = 0;
#pragma omp simd reduction(+ : mean)
    for (int i = 0; i < padded; i++) mean += probability[i] * gradient[i];
    for (int i = 0; i < padded; i++) gradient[i] = probability[i] * (gradient[i] - mean);
}

#endif

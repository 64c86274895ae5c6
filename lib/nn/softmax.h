/* Softmax of one row, in place, and its gradient. Rows are padded to whole vectors; the padding becomes zero. */
#ifndef DL_NN_SOFTMAX_H
#define DL_NN_SOFTMAX_H

#include "nn/simd.h"

/* row is (DL_PADDED(count)), count > 0. */
DL_INLINE void dl_softmax(real *row, int count)
{
    int padded = DL_PADDED(count);
    for (int i = count; i < padded; i++) row[i] = row[0];
    dl_vector high = dl_load(row), sum = {0};
    for (int i = DL_LANES; i < padded; i += DL_LANES) high = dl_max(high, dl_load(row + i));
    dl_vector highest = dl_splat(dl_highest_lane(high));
    for (int i = 0; i < padded; i += DL_LANES) dl_store(row + i, dl_exp_lanes(dl_load(row + i) - highest));
    for (int i = count; i < padded; i++) row[i] = 0;
    for (int i = 0; i < padded; i += DL_LANES) sum += dl_load(row + i);
    dl_vector scale = dl_splat(1 / dl_sum_lanes(sum));
    for (int i = 0; i < padded; i += DL_LANES) dl_store(row + i, scale * dl_load(row + i));
}

/* probability, gradient are (DL_PADDED(count)); gradient of the outputs becomes that of the inputs. */
DL_INLINE void dl_softmax_backward(const real *probability, real *gradient, int count)
{
    int padded = DL_PADDED(count);
    for (int i = count; i < padded; i++) gradient[i] = 0;
    dl_vector sum = {0};
    for (int i = 0; i < padded; i += DL_LANES) sum += dl_load(probability + i) * dl_load(gradient + i);
    dl_vector mean = dl_splat(dl_sum_lanes(sum));
    for (int i = 0; i < padded; i += DL_LANES)
        dl_store(gradient + i, dl_load(probability + i) * (dl_load(gradient + i) - mean));
}

#endif

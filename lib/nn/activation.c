#include "nn/activation.h"

#include "nn/simd.h"

void dl_gelu_forward(size_t count, const real *x, real *y)
{
    size_t i = 0;
    for (; i + DL_LANES <= count; i += DL_LANES) dl_store(y + i, dl_gelu_lanes(dl_load(x + i)));
    int rest = (int)(count - i);
    if (rest > 0) dl_store_some(y + i, dl_gelu_lanes(dl_load_some(x + i, rest)), rest);
}

void dl_gelu_backward(size_t count, const real *x, real *y, real *dy)
{
    size_t i = 0;
    dl_vector slope;
    for (; i + DL_LANES <= count; i += DL_LANES) {
        dl_store(y + i, dl_gelu_and_slope_lanes(dl_load(x + i), &slope));
        dl_store(dy + i, slope * dl_load(dy + i));
    }
    int rest = (int)(count - i);
    if (rest > 0) {
        dl_store_some(y + i, dl_gelu_and_slope_lanes(dl_load_some(x + i, rest), &slope), rest);
        dl_store_some(dy + i, slope * dl_load_some(dy + i, rest), rest);
    }
}

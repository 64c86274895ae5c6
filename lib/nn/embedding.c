#include "nn/embedding.h"

#include <math.h>

#define LONGEST_PERIOD 10000.0 /* over 2 pi; the transformer's own choice */

void dl_sinusoid(double number, int width, real *out)
{
    int half = width / 2;
    for (int i = 0; i < half; i++) {
        double angle = number * pow(LONGEST_PERIOD, -(double)i / half);
        out[i] = (real)sin(angle);
        out[half + i] = (real)cos(angle);
    }
    if (width % 2) out[width - 1] = 0;
}

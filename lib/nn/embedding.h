/* Sinusoidal embedding of a number: sines, then cosines, of geometrically falling frequencies. */
#ifndef DL_NN_EMBEDDING_H
#define DL_NN_EMBEDDING_H

#include "nn/real.h"

/* out is (width); an odd last place is zero. */
void dl_sinusoid(double number, int width, real *out);

#endif

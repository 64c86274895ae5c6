/* Softmax cross-entropy. */
#ifndef DL_NN_CROSS_ENTROPY_H
#define DL_NN_CROSS_ENTROPY_H

#include <stdint.h>

#include "nn/real.h"

/* logits is (rows, classes), label is (rows), negative labels are skipped. Returns the sum of the rows' losses; writes
 * the softmax to probability (rows, classes) and adds scale * d(loss) / d(logits) to gradient (rows, classes), each
 * unless NULL. */
double dl_cross_entropy(int rows, int classes, const real *logits, const int8_t *label, real scale, real *probability,
                        real *gradient);

#endif

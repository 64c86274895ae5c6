/* Matrix products, row-major: C (m x n) = op(A) (m x k) op(B) (k x n), or += where `add`. For tools. */
#ifndef DL_NN_GEMM_H
#define DL_NN_GEMM_H

#include <stdbool.h>

#include "nn/real.h"

typedef enum dl_transpose { DL_PLAIN, DL_TRANSPOSED } dl_transpose;

void dl_gemm(dl_transpose ta, dl_transpose tb, int m, int n, int k, const real *a, int lda, const real *b, int ldb,
             bool add, real *c, int ldc);

#endif

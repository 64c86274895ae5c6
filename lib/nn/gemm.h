/* Matrix products through BLAS, row-major: C (m x n) = op(A) (m x k) op(B) (k x n) + keep * C. For tools. */
#ifndef DL_NN_GEMM_H
#define DL_NN_GEMM_H

#include <cblas.h>

#include "nn/real.h"

typedef enum dl_transpose { DL_PLAIN = CblasNoTrans, DL_TRANSPOSED = CblasTrans } dl_transpose;

static inline void dl_gemm(dl_transpose ta, dl_transpose tb, int m, int n, int k, const real *a, int lda, const real *b,
                           int ldb, real keep, real *c, int ldc)
{
#ifdef DL_REAL_DOUBLE
    cblas_dgemm(CblasRowMajor, (enum CBLAS_TRANSPOSE)ta, (enum CBLAS_TRANSPOSE)tb, m, n, k, 1, a, lda, b, ldb, keep, c,
                ldc);
#else
    cblas_sgemm(CblasRowMajor, (enum CBLAS_TRANSPOSE)ta, (enum CBLAS_TRANSPOSE)tb, m, n, k, 1, a, lda, b, ldb, keep, c,
                ldc);
#endif
}

/* Our threads each work on a sample of their own, so BLAS itself must not start any. */
static inline void dl_gemm_use_one_thread(void)
{
    openblas_set_num_threads(1);
}

#endif

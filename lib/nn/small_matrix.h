/* Products of matrices too small for BLAS: those of one attention window. Register-blocked 4 rows x 2 vectors. */
#ifndef DL_NN_SMALL_MATRIX_H
#define DL_NN_SMALL_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

#include "nn/simd.h"

/* An operand whose element (r, c) is data[r * row_step + c * column_step]; swapping the steps transposes it. */
typedef struct dl_operand {
    const real *data;
    int row_step, column_step;
} dl_operand;

DL_INLINE void dl_small_tile(int m, int vectors, int k, dl_operand a, const real *b, int b_step, real *c, int c_step,
                             bool add)
{
    dl_vector sum[4][2];
    for (int r = 0; r < m; r++)
        for (int v = 0; v < vectors; v++) sum[r][v] = add ? dl_load(c + r * c_step + v * DL_LANES) : (dl_vector){0};
    for (int i = 0; i < k; i++) {
        dl_vector right[2];
        for (int v = 0; v < vectors; v++) right[v] = dl_load(b + i * b_step + v * DL_LANES);
        for (int r = 0; r < m; r++) {
            dl_vector left = dl_splat(a.data[r * a.row_step + i * a.column_step]);
            for (int v = 0; v < vectors; v++) sum[r][v] += left * right[v];
        }
    }
    for (int r = 0; r < m; r++)
        for (int v = 0; v < vectors; v++) dl_store(c + r * c_step + v * DL_LANES, sum[r][v]);
}

/* C (m x n) = A (m x k) B (k x n), or += ; n is a multiple of DL_LANES, rows of B and C are contiguous. */
static inline void dl_small_matmul(int m, int n, int k, dl_operand a, const real *b, int b_step, real *c, int c_step,
                                   bool add)
{
    for (int column = 0; column < n; column += 2 * DL_LANES) {
        bool pair = column + 2 * DL_LANES <= n;
        int r = 0;
        for (; r + 4 <= m; r += 4) {
            dl_operand rows = {a.data + (ptrdiff_t)r * a.row_step, a.row_step, a.column_step};
            real *out = c + (ptrdiff_t)r * c_step + column;
            if (pair)
                dl_small_tile(4, 2, k, rows, b + column, b_step, out, c_step, add);
            else
                dl_small_tile(4, 1, k, rows, b + column, b_step, out, c_step, add);
        }
        for (; r < m; r++) {
            dl_operand row = {a.data + (ptrdiff_t)r * a.row_step, a.row_step, a.column_step};
            real *out = c + (ptrdiff_t)r * c_step + column;
            if (pair)
                dl_small_tile(1, 2, k, row, b + column, b_step, out, c_step, add);
            else
                dl_small_tile(1, 1, k, row, b + column, b_step, out, c_step, add);
        }
    }
}

#endif

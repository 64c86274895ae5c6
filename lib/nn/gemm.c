#include "nn/gemm.h"

#include <assert.h>
#include <stddef.h>

#include "nn/simd.h"

/* The widest vectors there are. */
#if defined __AVX512F__
#define VECTOR_BYTES 64
#elif defined __AVX__
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
typedef real vector __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));

/* A tile of C is computed in registers: 12 sums, with 2 vectors of B and 1 of A they fit into 16. A panel of B holds
 * the columns of a tile, packed, and at 16 KB stays in the first cache while all rows of A pass by. */
enum { ROWS = 6, LANES = VECTOR_BYTES / sizeof(real), COLUMNS = 2 * LANES, DEPTH = 16384 / sizeof(real) / COLUMNS };

/* Element (r, i) is data[r * row_step + i * step]. */
typedef struct operand {
    const real *data;
    ptrdiff_t row_step, step;
} operand;

/* C (rows x COLUMNS) = A (rows x depth) panel, or +=. With `rows` known to the compiler the sums stay in registers. */
DL_INLINE void multiply_tile(int rows, int depth, operand a, const real *panel, real *c, ptrdiff_t ldc, bool add)
{
    vector sum[ROWS][2];
    for (int r = 0; r < rows; r++) sum[r][0] = sum[r][1] = (vector){0};
    for (int i = 0; i < depth; i++) {
        vector first = *(const vector *)(panel + i * COLUMNS), second = *(const vector *)(panel + i * COLUMNS + LANES);
        for (int r = 0; r < rows; r++) {
            vector left = a.data[r * a.row_step + i * a.step] - (vector){0};
            sum[r][0] += left * first;
            sum[r][1] += left * second;
        }
    }
    for (int r = 0; r < rows; r++)
        for (int v = 0; v < 2; v++) {
            vector *out = (vector *)(c + r * ldc + v * LANES);
            if (add) sum[r][v] += *out;
            *out = sum[r][v];
        }
}

static void multiply_last_tile(int rows, int depth, operand a, const real *panel, real *c, ptrdiff_t ldc, bool add)
{
    switch (rows) {
    case 5:
        multiply_tile(5, depth, a, panel, c, ldc, add);
        break;
    case 4:
        multiply_tile(4, depth, a, panel, c, ldc, add);
        break;
    case 3:
        multiply_tile(3, depth, a, panel, c, ldc, add);
        break;
    case 2:
        multiply_tile(2, depth, a, panel, c, ldc, add);
        break;
    case 1:
        multiply_tile(1, depth, a, panel, c, ldc, add);
        break;
    }
}

/* C (m x COLUMNS) = A (m x depth) panel, or +=. */
static void multiply_panel(int m, int depth, operand a, const real *panel, real *c, ptrdiff_t ldc, bool add)
{
    int r = 0;
    if (a.step == 1) /* known steps make shorter addresses */
        for (; r + ROWS <= m; r += ROWS)
            multiply_tile(ROWS, depth, (operand){a.data + r * a.row_step, a.row_step, 1}, panel, c + r * ldc, ldc, add);
    else
        for (; r + ROWS <= m; r += ROWS)
            multiply_tile(ROWS, depth, (operand){a.data + r, 1, a.step}, panel, c + r * ldc, ldc, add);
    operand rest = {a.data + r * a.row_step, a.row_step, a.step};
    multiply_last_tile(m - r, depth, rest, panel, c + r * ldc, ldc, add);
}

/* The last columns of C, fewer than a tile's: computed whole, stored as far as they go. */
static void multiply_edge(int m, int columns, int depth, operand a, const real *panel, real *c, ptrdiff_t ldc, bool add)
{
    real tile[ROWS * COLUMNS];
    for (int r = 0; r < m; r += ROWS) {
        int rows = m - r < ROWS ? m - r : (int)ROWS;
        multiply_panel(rows, depth, (operand){a.data + r * a.row_step, a.row_step, a.step}, panel, tile, COLUMNS,
                       false);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                real *out = &c[(r + i) * ldc + j];
                *out = tile[i * COLUMNS + j] + (add ? *out : 0);
            }
    }
}

/* B (depth x columns), filled up with columns of zeros. */
static void pack(int depth, int columns, operand b, real *panel)
{
    for (int i = 0; i < depth; i++, panel += COLUMNS) {
        const real *row = b.data + i * b.row_step;
        for (int j = 0; j < columns; j++) panel[j] = row[j * b.step];
        for (int j = columns; j < COLUMNS; j++) panel[j] = 0;
    }
}

void dl_gemm(dl_transpose ta, dl_transpose tb, int m, int n, int k, const real *a, int lda, const real *b, int ldb,
             bool add, real *c, int ldc)
{
    assert(m >= 0 && n >= 0 && k >= 0 && ldc >= n);
    assert(lda >= (ta == DL_PLAIN ? k : m) && ldb >= (tb == DL_PLAIN ? n : k));
    _Alignas(VECTOR_BYTES) real panel[DEPTH * COLUMNS];
    operand left = ta == DL_PLAIN ? (operand){a, lda, 1} : (operand){a, 1, lda};
    operand right = tb == DL_PLAIN ? (operand){b, ldb, 1} : (operand){b, 1, ldb};
    int begin = 0;
    do { /* once at least: a product over nothing is zero */
        int depth = k - begin < DEPTH ? k - begin : (int)DEPTH;
        operand part = {left.data + begin * left.step, left.row_step, left.step};
        for (int column = 0; column < n; column += COLUMNS) {
            int columns = n - column < COLUMNS ? n - column : (int)COLUMNS;
            const real *corner = right.data + begin * right.row_step + column * right.step;
            pack(depth, columns, (operand){corner, right.row_step, right.step}, panel);
            if (columns == COLUMNS)
                multiply_panel(m, depth, part, panel, c + column, ldc, add || begin > 0);
            else
                multiply_edge(m, columns, depth, part, panel, c + column, ldc, add || begin > 0);
        }
        begin += DEPTH;
    } while (begin < k);
}

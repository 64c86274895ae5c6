/* The number type of every kernel: float; double when the same sources are compiled with DL_REAL_DOUBLE, which is how
 * the gradient checks reach a relative error of 1e-5. */
#ifndef DL_NN_REAL_H
#define DL_NN_REAL_H

#ifdef DL_REAL_DOUBLE
typedef double real;
#else
typedef float real;
#endif

#endif

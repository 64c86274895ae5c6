/* Numbers in tables, for programs and for people. What is not finite is not known. */
#ifndef DL_BENCH_FIGURES_H
#define DL_BENCH_FIGURES_H

#include <stdio.h>

/* A comma and the number; nothing after the comma if it is not known. */
void dl_figure_write(FILE *stream, double number, int digits);
/* A blank and the number, or "-", to the right of a column. */
void dl_figure_print(FILE *stream, int width, double number, int digits);

#endif

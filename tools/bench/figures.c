#include "bench/figures.h"

#include <math.h>

void dl_figure_write(FILE *stream, double number, int digits)
{
    fputc(',', stream);
    if (isfinite(number)) fprintf(stream, "%.*f", digits, number);
}

void dl_figure_print(FILE *stream, int width, double number, int digits)
{
    if (isfinite(number))
        fprintf(stream, " %*.*f", width, digits, number);
    else
        fprintf(stream, " %*s", width, "-");
}

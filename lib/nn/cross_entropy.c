#include "nn/cross_entropy.h"

#include <stddef.h>
#include <tgmath.h>

double dl_cross_entropy(int rows, int classes, const real *logits, const int8_t *label, real scale, real *probability,
                        real *gradient)
{
    double loss = 0;
    for (int r = 0; r < rows; r++) {
        size_t start = (size_t)r * (size_t)classes;
        const real *row = logits + start;
        real highest = row[0], others = 0; /* the highest adds exactly one to the sum */
        int top = 0;
        for (int c = 1; c < classes; c++)
            if (row[c] > highest) highest = row[top = c];
        for (int c = 0; c < classes; c++)
            if (c != top) others += exp(row[c] - highest);
        real log_sum = highest + log1p(others);
        if (probability)
            for (int c = 0; c < classes; c++) probability[start + (size_t)c] = exp(row[c] - log_sum);
        if (label[r] < 0) continue;
        loss += log_sum - row[label[r]];
        if (gradient)
            for (int c = 0; c < classes; c++)
                gradient[start + (size_t)c] += scale * (exp(row[c] - log_sum) - (c == label[r] ? 1 : 0));
    }
    return loss;
}

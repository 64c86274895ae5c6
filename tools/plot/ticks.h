/* Ticks: the round numbers at which an axis is labeled. */
#ifndef DL_PLOT_TICKS_H
#define DL_PLOT_TICKS_H

typedef struct dl_ticks {
    double at[64];
    int count;
} dl_ticks;

/* A round number of about the size of `rough`: 1, 2 or 5 times a power of ten. */
double dl_round_step(double rough);
/* Adds one if there is room. */
void dl_ticks_add(dl_ticks *ticks, double value);
/* About as many as wanted from `low` to `high`. */
dl_ticks dl_ticks_linear(double low, double high, int wanted);
/* The ends are logarithms to the base of ten, the ticks are not: powers of ten, every other one if they are many, and
 * their halves and fifths if they are few. */
dl_ticks dl_ticks_logarithmic(double low, double high);

#endif

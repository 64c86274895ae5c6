/* Statistics of the experiments: means, shares and paired ratios with 95% intervals, and quantiles. */
#ifndef DL_BENCH_STATISTICS_H
#define DL_BENCH_STATISTICS_H

/* A figure and its 95% interval; NaN where there is too little to say. */
typedef struct dl_estimate {
    double value, low, high;
    int count; /* what it was made from */
} dl_estimate;

/* An interval of fewer values would say more than is known. */
enum { DL_LEAST_FOR_INTERVAL = 5 };

/* The mean, with Student's interval. */
dl_estimate dl_mean(const double *values, int count);
/* The share of `hits` in `count`, 0 to 1, with Wilson's interval: sound near 0 and 1, where ours mostly lie. */
dl_estimate dl_share(int hits, int count);
/* The geometric mean of ratios, from their logarithms, with an interval by bootstrap, the same every time. */
dl_estimate dl_geometric_mean(const double *logs, int count);
/* The 97.5% point of Student's distribution with so many degrees of freedom. */
double dl_student_point(int freedom);
/* The value at `rank` in growing order, from 0. */
double dl_ranked(const double *values, int count, int rank);
/* The quantile at `share` (0 to 1), interpolated between neighbors in order; NaN of nothing. Infinite values count. */
double dl_quantile(const double *values, int count, double share);

#endif

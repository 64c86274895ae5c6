/* OpenMP where there is one thread: the pragmas are passed over, and these are all the questions we ask. */
#ifndef WEB_SERIAL_OMP_H
#define WEB_SERIAL_OMP_H

static inline int omp_get_max_threads(void)
{
    return 1;
}

static inline int omp_get_thread_num(void)
{
    return 0;
}

static inline void omp_set_max_active_levels(int levels)
{
    (void)levels;
}

#endif

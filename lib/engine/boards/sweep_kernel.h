/* Code template, included by layers.c once for each number of vectors. VECTORS is that number, RING the way to move a
 * vector (dl_ring_narrow or dl_ring_wide), SUFFIX what the names of this copy end with (VECTORS if not given). WIDE is
 * defined where VECTORS is known only at run time.
 *
 * Both functions compute the boards of times t+1..end of a layer from that of time t, and stop early at the first time
 * from `watch` on at which the goal is reached, which they return; otherwise -1. */

#ifndef SUFFIX
#define SUFFIX VECTORS
#endif
#define PASTE(name, suffix) name##_##suffix
#define JOIN(name, suffix)  PASTE(name, suffix)
#define NAME(name)          JOIN(name, SUFFIX)
/* Otherwise arrays of vectors are copied through memory. */
#define UNROLLED _Pragma("GCC unroll 16")

#ifdef WIDE
/* Layer 0: cells reached without any conflict. Also notes which cells are busy, for the layers above. */
static int NAME(first_layer)(const dl_sweep_job *job, int t, int end, int watch)
{
    const int vectors = VECTORS, step = job->step;
    const dl_vector *restrict const free = job->free;
    dl_vector *restrict const rest = job->rest;
    for (; t < end; t++) {
        const dl_vector *restrict row =
            job->rows + (size_t)(t < job->makespan ? t + 1 : job->makespan + 1) * job->row_size;
        const dl_vector *from = job->layer + (size_t)t * job->stride;
        dl_vector *to = job->layer + (size_t)(t + 1) * job->stride;
        dl_vector *restrict busy = job->busy + (size_t)(t + 1) * (size_t)vectors;
        for (int k = 0; k < vectors; k++) {
            dl_ring own = RING(from, k, step);
            dl_vector now = row[DL_ROW_OCCUPIED * vectors + k] | rest[k];
            to[k] = (entered(&own, row + k, vectors) | from[k]) & free[k] & ~now;
            busy[k] = now;
            rest[k] |= row[DL_ROW_ARRIVE * vectors + k];
        }
        if (t + 1 >= watch && dl_board_test(to, job->goal_bit)) return t + 1;
    }
    return -1;
}
#else
/* Layer 0: cells reached without any conflict. Also notes which cells are busy, for the layers above. What one time
 * hands on to the next stays in registers: it is what everything waits for. */
static int NAME(first_layer)(const dl_sweep_job *job, int t, int end, int watch)
{
    const int step = job->step, makespan = job->makespan, goal_bit = job->goal_bit;
    const size_t row_size = job->row_size, stride = job->stride;
    const dl_vector *restrict const free = job->free;
    const dl_vector *restrict row = job->rows + (size_t)(t < makespan ? t + 1 : makespan + 1) * row_size;
    dl_vector *restrict to = job->layer + (size_t)t * stride;
    dl_vector *restrict busy = job->busy + (size_t)t * VECTORS;
    dl_vector here[VECTORS + 2], rest[VECTORS]; /* with a guard at either end */
    here[0] = here[VECTORS + 1] = (dl_vector){0};
    UNROLLED
    for (int k = 0; k < VECTORS; k++) {
        here[k + 1] = to[k];
        rest[k] = job->rest[k];
    }
    int hit = -1;
    for (; t < end && hit < 0; t++) {
        dl_vector next[VECTORS];
        to += stride;
        busy += VECTORS;
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            dl_ring own = RING(here + 1, k, step);
            dl_vector now = row[DL_ROW_OCCUPIED * VECTORS + k] | rest[k];
            next[k] = (entered(&own, row + k, VECTORS) | here[k + 1]) & free[k] & ~now;
            busy[k] = now;
            rest[k] |= row[DL_ROW_ARRIVE * VECTORS + k];
        }
        UNROLLED
        for (int k = 0; k < VECTORS; k++) to[k] = here[k + 1] = next[k];
        if (t < makespan) row += row_size;
        if (t + 1 >= watch && dl_board_test(to, goal_bit)) hit = t + 1;
    }
    UNROLLED
    for (int k = 0; k < VECTORS; k++) job->rest[k] = rest[k];
    return hit;
}
#endif

/* Layer c > 0: cells reached with c conflicts, from the layer itself and the one below. */
static int NAME(next_layer)(const dl_sweep_job *job, int t, int end, int watch)
{
    const int vectors = VECTORS, step = job->step, still = job->makespan + 1;
    const dl_vector *restrict const free = job->free;
    for (; t < end; t++) {
        const dl_vector *restrict row = job->rows + (size_t)(t < still ? t + 1 : still) * job->row_size;
        const dl_vector *from = job->layer + (size_t)t * job->stride;
        const dl_vector *lower = job->lower + (size_t)(t < job->lower_end ? t : job->lower_end) * job->stride;
        dl_vector *to = job->layer + (size_t)(t + 1) * job->stride;
        const dl_vector *restrict busy_was = job->busy + (size_t)(t < still ? t : still) * (size_t)vectors;
        const dl_vector *restrict busy_now = job->busy + (size_t)(t < still ? t + 1 : still) * (size_t)vectors;
        for (int k = 0; k < vectors; k++) {
            dl_ring own = RING(from, k, step), below = RING(lower, k, step);
            dl_vector entered = {0}, hit = {0};
            for (int d = 0; d < DL_DIRECTIONS; d++) {
                dl_vector swap = row[(DL_ROW_SWAP + d) * vectors + k];
                entered |= (own.way[d] & ~swap) | (below.way[d] & swap);
                hit |= below.way[d];
            }
            dl_vector was = busy_was[k], now = busy_now[k], stay = from[k];
            to[k] = free[k] & (((entered | stay) & ~now) | ((hit | (stay & was) | (lower[k] & ~was)) & now));
        }
        if (t + 1 >= watch && dl_board_test(to, job->goal_bit)) return t + 1;
    }
    return -1;
}

#undef UNROLLED
#undef NAME
#undef JOIN
#undef PASTE
#undef SUFFIX
#undef VECTORS

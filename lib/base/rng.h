/* Random streams: counter-based (Philox, Random123), one stream per (seed, purpose, index), so that results do not
 * depend on the number of threads or on the order in which work is done. For tools. */
#ifndef DL_BASE_RNG_H
#define DL_BASE_RNG_H

#include <Random123/philox.h>
#include <assert.h>
#include <stdint.h>

/* Four letters name what a stream is for: DL_PURPOSE('m','a','z','e'). */
#define DL_PURPOSE(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

typedef struct dl_rng {
    philox4x32_key_t key;     /* the seed */
    philox4x32_ctr_t counter; /* {block number, purpose, index low, index high} */
    philox4x32_ctr_t block;   /* the four words of the current block */
    int left;                 /* how many of them are still unused */
} dl_rng;

static inline dl_rng dl_rng_stream(uint64_t seed, uint32_t purpose, uint64_t index)
{
    dl_rng rng = {.left = 0};
    rng.key.v[0] = (uint32_t)seed;
    rng.key.v[1] = (uint32_t)(seed >> 32);
    rng.counter.v[0] = 0;
    rng.counter.v[1] = purpose;
    rng.counter.v[2] = (uint32_t)index;
    rng.counter.v[3] = (uint32_t)(index >> 32);
    return rng;
}

static inline uint32_t dl_rng_u32(dl_rng *rng)
{
    if (rng->left == 0) {
        rng->block = philox4x32(rng->counter, rng->key);
        rng->counter.v[0]++;
        rng->left = 4;
    }
    return rng->block.v[--rng->left];
}

static inline uint64_t dl_rng_u64(dl_rng *rng)
{
    uint64_t high = dl_rng_u32(rng);
    return high << 32 | dl_rng_u32(rng);
}

/* Uniform in 0..n-1 for n >= 1, without bias (multiply and reject). */
static inline uint32_t dl_rng_below(dl_rng *rng, uint32_t n)
{
    assert(n >= 1);
    uint64_t product = (uint64_t)dl_rng_u32(rng) * n;
    if ((uint32_t)product < n) {
        uint32_t threshold = -n % n;
        while ((uint32_t)product < threshold) product = (uint64_t)dl_rng_u32(rng) * n;
    }
    return (uint32_t)(product >> 32);
}

/* Uniform in [0, 1). */
static inline double dl_rng_unit(dl_rng *rng)
{
    return (double)(dl_rng_u64(rng) >> 11) * 0x1p-53;
}

/* Uniform random order. */
static inline void dl_rng_shuffle(dl_rng *rng, int32_t *items, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int j = (int)dl_rng_below(rng, (uint32_t)i + 1);
        int32_t swap = items[i];
        items[i] = items[j];
        items[j] = swap;
    }
}

#endif

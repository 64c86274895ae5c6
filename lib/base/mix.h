/* A 64-bit mixer (multiply, xor-shift): every input bit reaches every output bit, and no two inputs share an output. */
#ifndef DL_BASE_MIX_H
#define DL_BASE_MIX_H

#include <stdint.h>

static inline uint64_t dl_mix64(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u; /* odd, with about half of its bits set: any such number serves */
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    return x ^ x >> 32;
}

#endif

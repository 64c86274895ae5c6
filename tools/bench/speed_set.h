/* The instances that speed is measured on: generated ones of the paper's settings, the same everywhere, or a folder of
 * files. */
#ifndef DL_BENCH_SPEED_SET_H
#define DL_BENCH_SPEED_SET_H

#include "generate/generate.h"

typedef struct dl_speed_set {
    int count;
    char **map;    /* [count] files, each with its .scen beside it; NULL = generated */
    int cases;     /* of each setting */
    uint64_t seed; /* of the first case */
    dl_generator_scratch scratch;
} dl_speed_set;

/* Without a folder (NULL): `cases` instances of each of the paper's settings, 0 = 4, with seeds from `seed` on. With
 * one: every FILE.map with FILE.scen beside it, at any depth, of each subfolder at most `cases`, 0 = all. */
dl_status dl_speed_set_open(dl_speed_set *set, const char *folder, int cases, uint64_t seed, dl_error *err);
void dl_speed_set_close(dl_speed_set *set);

typedef struct dl_speed_instance {
    char name[128], family[64];
    dl_instance *instance; /* the caller's, to free */
} dl_speed_instance;

dl_status dl_speed_set_get(dl_speed_set *set, int index, dl_speed_instance *out, dl_error *err);

#endif

/* A redrafter without a network: it draws shortest paths, which collide, and counts. */
#ifndef DL_TESTS_SUPPORT_REDRAFTER_H
#define DL_TESTS_SUPPORT_REDRAFTER_H

#include "lns/kick.h"

typedef struct test_drawing {
    dl_status status; /* what it answers */
    int asked, drawn; /* calls, agents drawn */
    bool unsuited;
} test_drawing;

/* It counts into `d`, which must outlive it. */
dl_redrafter test_redrafter(test_drawing *d);

#endif

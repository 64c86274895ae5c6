/* What libFuzzer calls, and what replay.c calls for each file of a corpus. */
#ifndef DL_TESTS_FUZZ_H
#define DL_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that does not hold is a finding like a crash. */
#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) abort();                                                                                     \
    } while (0)

#endif

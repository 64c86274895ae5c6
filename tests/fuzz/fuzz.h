/* What a fuzz target provides and may use. driver.c calls it for libFuzzer, and for replay.c with each file of a
 * corpus: once as it is, and again with one allocation that fails. */
#ifndef DL_TESTS_FUZZ_H
#define DL_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The target. */
void fuzz_one(const uint8_t *data, size_t size);
/* Does everything the target calls hand on a failed allocation? */
extern const bool FUZZ_WITHOUT_MEMORY;

/* True while an allocation of this call has failed: then DIFFLNS_OUT_OF_MEMORY is an answer, too. */
bool fuzz_starved(void);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that does not hold is a finding like a crash. */
#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) abort();                                                                                     \
    } while (0)

#endif

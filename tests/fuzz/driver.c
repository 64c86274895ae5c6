/* Each input is tried twice: as it is, and while one allocation fails. The last byte picks which one, so that a fuzzer
 * finds its way to all of them. */
#include "faults.h"
#include "fuzz.h"

bool fuzz_starved(void)
{
    return faults_failed();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    faults_arm(0, FAULTS_ONCE); /* no allocation has this number */
    faults_disarm();
    fuzz_one(data, size);
    if (!FUZZ_WITHOUT_MEMORY || size == 0) return 0;
    long held = faults_live();
    faults_arm(1 + data[size - 1], data[size / 2] & 1 ? FAULTS_ONWARDS : FAULTS_ONCE);
    fuzz_one(data, size);
    faults_disarm();
    MUST(faults_live() == held);
    return 0;
}

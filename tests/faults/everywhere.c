#include "everywhere.h"

#include "faults.h"
#include "support.h"

static long one_mode(faults_work work, void *user, long stride, faults_mode mode)
{
    for (long n = 1;; n += stride) {
        long before = faults_live();
        faults_arm(n, mode);
        dl_status status = work(user);
        bool hit = faults_disarm();
        if (faults_live() != before || (status != DIFFLNS_OK && (!hit || status != DIFFLNS_OUT_OF_MEMORY)))
            fail_msg("allocation %ld fails%s: status %d, %ld blocks left behind", n,
                     mode == FAULTS_ONWARDS ? " and all that follow" : "", (int)status, faults_live() - before);
        if (!hit) return n / stride;
    }
}

long faults_everywhere(faults_work work, void *user, long stride)
{
    assert_int_equal(work(user), DIFFLNS_OK); /* what libc sets up once is not counted */
    return one_mode(work, user, stride, FAULTS_ONCE) + one_mode(work, user, stride, FAULTS_ONWARDS);
}

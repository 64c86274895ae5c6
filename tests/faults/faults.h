/* Allocations that fail on purpose. Linked into a test, this takes the place of malloc and its kin: of the library, and
 * in a build without sanitizers of jansson, libyaml, zstd and libc, too. */
#ifndef DL_TESTS_FAULTS_H
#define DL_TESTS_FAULTS_H

#include <stdbool.h>

typedef enum faults_mode {
    FAULTS_ONCE,   /* one allocation fails, the next one works again */
    FAULTS_ONWARDS /* memory is out and stays out */
} faults_mode;

/* From now on the n-th allocation of any thread fails; n counts from 1. */
void faults_arm(long n, faults_mode mode);
/* Allocations work again. Was there an n-th one? */
bool faults_disarm(void);
/* Has it failed already? */
bool faults_failed(void);
/* For looking at the results meanwhile: allocations work and are not counted between the two. Not nested; one thread.
 */
void faults_pause(void);
void faults_resume(void);
/* Blocks that the library and the test hold. */
long faults_live(void);

#endif

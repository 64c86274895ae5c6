/* Sequences of calls of the public interface. A call is a number: it says what to do and with which random arguments,
 * so that calls can be taken out of a sequence while the others stay what they are. */
#ifndef DL_TESTS_MODEL_CALLS_H
#define DL_TESTS_MODEL_CALLS_H

#include <stdint.h>
#include <stdio.h>

/* Makes the calls one after the other and compares what comes back with the model; ends the process with status 1 and a
 * line when they differ. With a stream, says first what each call is. */
void make_calls(const uint64_t *call, int count, FILE *aloud);

#endif

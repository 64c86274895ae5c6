/* How low does improvement lead with redrafts, and with what only looks like them? One method improves the first plan
 * of a case for as long as its limit says: seconds of one processor, sampling included, so that several runs may share
 * a busy machine. */
#ifndef DL_BENCH_IMPROVING_H
#define DL_BENCH_IMPROVING_H

#include "bench/method.h"

dl_status dl_improving_run(const dl_method *method, const dl_bench_case *c, dl_record *record, dl_error *err);

#endif

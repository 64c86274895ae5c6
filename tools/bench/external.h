/* Other people's solvers: any command that reads a map and a scenario and writes a plan in a format we know. */
#ifndef DL_BENCH_EXTERNAL_H
#define DL_BENCH_EXTERNAL_H

#include <stdatomic.h>

#include "mapf/plan.h"

typedef struct dl_external {
    const char *name;
    const char
        *command; /* for the shell; {map} {scen} {agents} {limit} {limit_whole} {output} {seed} stand for values */
    const char *folder; /* for the files it is given and its log */
    double seconds;
    uint64_t seed;
    const atomic_int *stop;
} dl_external;

typedef struct dl_external_result {
    dl_plan *plan;     /* as it was written, not checked; NULL = none that can be read */
    double seconds;    /* until it ended or was ended */
    bool failed;       /* it says so by its exit status or in its file, or had to be ended */
    dl_error unusable; /* why there is no plan; its status is DIFFLNS_OK if there is one */
} dl_external_result;

/* Some solvers write their plan when their limit is over: they may take so much longer before they are killed. */
static inline double dl_external_grace(double seconds)
{
    return 1 + 0.05 * seconds;
}

/* Refuses a command without {map}, {scen} and {output}. */
dl_status dl_external_check(const char *name, const char *command, dl_error *err);
/* Runs made by one command are no more to be mixed with those of another than runs of two limits: keeps the command in
 * FOLDER/NAME.command, and refuses another one if `begun`, that is, if there are results of this name. */
dl_status dl_external_claim(const char *folder, const char *name, const char *command, bool begun, dl_error *err);
/* STOPPED if asked to stop; an error if there is no such command. What it prints goes to FOLDER/NAME.log. */
dl_status dl_external_run(const dl_external *external, const dl_instance *instance, dl_external_result *result,
                          dl_error *err);

#endif

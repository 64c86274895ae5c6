/* Methods: what an experiment compares, and one run of one of them on one case. */
#ifndef DL_BENCH_METHOD_H
#define DL_BENCH_METHOD_H

#include <stdatomic.h>

#include "bench/controls.h"
#include "bench/records.h"
#include "solver/stop_rule.h"

typedef enum dl_method_kind {
    DL_METHOD_SOLVE,   /* the solver from some start */
    DL_METHOD_STARTS,  /* rounds of starts, each repaired by itself; the best of the first round with a success */
    DL_METHOD_LACAM,   /* for as long as another method took on the same case, or, patient, for the whole limit */
    DL_METHOD_EXTERNAL /* a command */
} dl_method_kind;

typedef struct dl_method {
    const char *name;
    dl_method_kind kind;
    const char *start;      /* solve, starts: a name of dl_compared_start; for solve also auto */
    dl_stop stop;           /* solve: when to hand over */
    int candidates, rounds; /* starts */
    bool patient;           /* starts, LaCAM: may use the whole limit, not only its own */
    bool plain;             /* starts: repair as published, without what we added */
    bool as_paper;          /* solve: the preset `paper`; starts: drafts as the paper samples them */
    bool dense;             /* uses the second model */
    const char *command;    /* external */
} dl_method;

/* Can't it do without weights? (auto can.) */
bool dl_method_needs_model(const dl_method *method);

/* One case: an instance and what a method may spend on it. */
typedef struct dl_bench_case {
    const dl_instance *instance;
    uint64_t seed;
    double limit;                        /* seconds; infinite = none */
    double repair_limit;                 /* seconds for one candidate */
    uint64_t iterations;                 /* for one start; 0 = none */
    double matched;                      /* seconds of the method LaCAM is matched with; below 0 = none ran */
    int threads;                         /* at least 1 */
    const dl_model *model, *dense_model; /* NULL = none */
    const dl_model *untrained;           /* of the model's configuration */
    dl_kept_draft *kept;                 /* the model's draft, for methods of a single start; NULL = none is kept */
    const char *folder;                  /* for files of external solvers */
    int64_t lower_bound;                 /* no plan costs less; -1 = not computed */
    /* Hears of every plan that the checker agrees to; NULL = nobody keeps them. */
    void (*keep)(void *user, const dl_instance *instance, const dl_plan *plan, const dl_record *record);
    void *user;
    const atomic_int *stop;
} dl_bench_case;

/* Fills the record's figures; the rest of it is the caller's. STOPPED if asked to: then it holds nothing. */
dl_status dl_method_run(const dl_method *method, const dl_bench_case *c, dl_record *record, dl_error *err);

#endif

/* Solving through difflns.h: the public struct of options becomes a row-by-row checked dl_options. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/choice.h"
#include "base/memory.h"
#include "solver/solve.h"
#include "start/start.h"

void difflns_options_default(difflns_options *options)
{
    dl_options usual;
    dl_options_default(&usual);
    *options = (difflns_options){.seconds = dl_options_seconds(&usual),
                                 .iterations = usual.iterations,
                                 .seed = usual.seed,
                                 .threads = usual.threads,
                                 .init = DIFFLNS_INIT_AUTO,
                                 .steps = usual.steps,
                                 .horizon = usual.horizon,
                                 .neighbors = usual.neighbors,
                                 .candidates = usual.candidates,
                                 .rounds = usual.rounds,
                                 .repair_seconds = usual.repair_time,
                                 .anytime = usual.anytime,
                                 .fallback = usual.fallback};
}

const char *difflns_init_name(difflns_init init)
{
    static const char *const NAME[DIFFLNS_INITS] = {"auto",  "diffusion", "pp",   "slack", "paths",
                                                    "lacam", "plan",      "pibt", "rotate"};
    return init < DIFFLNS_INITS ? NAME[init] : "unknown";
}

static difflns_init init_of(const char *name)
{
    int init = 0;
    while (init < DIFFLNS_INITS && strcmp(difflns_init_name((difflns_init)init), name) != 0) init++;
    return (difflns_init)init;
}

/* The public struct of what the solver reported, which it takes over. */
static difflns_report published(const dl_report *from)
{
    difflns_report to = {.soc = from->soc,
                         .first_soc = from->first_soc,
                         .makespan = from->makespan,
                         .sum_of_distances = from->sum_of_distances,
                         .seconds = from->seconds,
                         .first_seconds = from->first_seconds,
                         .init = init_of(from->init),
                         .threads = from->threads,
                         .repair_iterations = from->repair_iterations,
                         .repair_seconds = from->repair_seconds,
                         .improve_iterations = from->improve_iterations,
                         .candidates = from->candidates,
                         .start = from->start};
    memcpy(to.reason, from->reason, sizeof to.reason);
    to.candidate = DL_ARRAY(difflns_candidate, from->candidates);
    if (!to.candidate) to.candidates = 0;
    for (int i = 0; i < to.candidates; i++) {
        const dl_candidate *c = &from->candidate[i];
        to.candidate[i] =
            (difflns_candidate){init_of(c->init), c->conflicts, c->conflicts_left, c->iterations, c->seconds};
    }
    free(from->candidate);
    return to;
}

difflns_status difflns_solve(const difflns_instance *instance, const difflns_options *o, difflns_plan **plan,
                             difflns_report *report, difflns_error *err)
{
    _Static_assert(sizeof(atomic_int) == sizeof(int), "a caller's int serves as the flag of a deadline");
    *plan = NULL;
    if (report) *report = (difflns_report){.soc = -1, .first_soc = -1, .sum_of_distances = -1, .first_seconds = -1};
    if (!(o->seconds > 0)) /* 0 would be the usual limit */
        return dl_fail(err, DIFFLNS_BAD_INPUT, "time: \"%g\": expected more than 0", o->seconds);
    dl_options options = {.time = fmin(o->seconds, DL_NO_TIME_LIMIT),
                          .iterations = o->iterations,
                          .seed = o->seed,
                          .threads = o->threads,
                          .init = dl_choice_index(DL_START_CHOICES, difflns_init_name(o->init)),
                          .steps = o->steps,
                          .horizon = o->horizon,
                          .neighbors = o->neighbors,
                          .candidates = o->candidates,
                          .rounds = o->rounds,
                          .repair_time = o->repair_seconds,
                          .anytime = o->anytime != 0,
                          .fallback = o->fallback != 0};
    dl_solve_input input = {.instance = instance,
                            .options = &options,
                            .init_plan = o->init_plan,
                            .model = o->model,
                            .keep_start = o->keep_start != 0,
                            .stop = (const atomic_int *)o->stop,
                            .progress = o->progress,
                            .user = o->user};
    dl_report filled;
    difflns_status status = dl_solve(&input, plan, &filled, err);
    if (report)
        *report = published(&filled);
    else
        dl_report_free(&filled);
    return status;
}

void difflns_report_free(difflns_report *report)
{
    if (!report) return;
    free(report->candidate);
    dl_plan_free(report->start);
    report->candidate = NULL;
    report->start = NULL;
    report->candidates = 0;
}

#include "solver/options.h"

#include <math.h>

#include "mapf/plan.h"
#include "solver/source.h"

void difflns_options_default(difflns_options *options)
{
    *options = (difflns_options){.seconds = 60,
                                 .seed = 1,
                                 .init = DIFFLNS_INIT_AUTO,
                                 .neighbors = 8,
                                 .candidates = 4,
                                 .repair_seconds = 120,
                                 .fallback = 1};
}

const char *difflns_init_name(difflns_init init)
{
    static const char *const NAME[DIFFLNS_INITS] = {"auto",  "diffusion", "pp",     "slack", "paths",
                                                    "lacam", "plan",      "rotate", "pibt"};
    return init < DIFFLNS_INITS ? NAME[init] : "unknown";
}

dl_status dl_options_check(const dl_instance *instance, const difflns_options *o, dl_error *err)
{
    if (!(o->seconds > 0))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "time limit of %g s: expected more than 0", o->seconds);
    if (!(o->repair_seconds > 0))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "repair time of %g s: expected more than 0", o->repair_seconds);
    if (o->neighbors < 1) return dl_fail(err, DIFFLNS_BAD_INPUT, "%d neighbors: expected at least 1", o->neighbors);
    if (o->rounds < 0 || o->candidates < 1)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%d rounds of %d candidates: expected at least 0 of 1", o->rounds,
                       o->candidates);
    if (o->threads < 0 || o->threads > DL_MOST_THREADS)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%d threads: expected 0 to %d", o->threads, DL_MOST_THREADS);
    if (o->anytime && isinf(o->seconds) && o->iterations == 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "improvement needs a limit of time or iterations");
    if (!dl_source_exists(o->init))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "init %s is not part of this build", difflns_init_name(o->init));
    if (o->init == DIFFLNS_INIT_DIFFUSION && !o->model)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "init diffusion needs a model");
    if (o->init == DIFFLNS_INIT_PLAN && !o->init_plan)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "init plan needs a plan to start from");
    if (o->init == DIFFLNS_INIT_PLAN && o->init_plan->agents != instance->agents)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "the plan to start from has %d agents: expected %d",
                       o->init_plan->agents, instance->agents);
    return DIFFLNS_OK;
}

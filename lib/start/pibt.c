/* A PIBT rollout: everybody takes legal steps together, and shortest ways home follow. */
#include "lacam/pibt.h"
#include "lacam/pibt_rollout.h"
#include "start/start.h"

/* Steps of a rollout: times the longest shortest path, within bounds. */
static const double STRETCH = 1.5;
enum { SHORTEST = 32, LONGEST = 1024 };

bool dl_start_make_pibt(dl_start_job *job)
{
    int steps = (int)(STRETCH * dl_start_measure(job->planner, job->deadline).longest);
    if (steps < SHORTEST) steps = SHORTEST;
    if (steps > LONGEST) steps = LONGEST;
    return dl_pibt_rollout(job->planner, &job->rng, steps, job->deadline);
}

dl_status dl_start_check_pibt(const dl_start_input *input, int threads, dl_error *err)
{
    (void)threads;
    if (dl_instance_longest_prefix(input->instance) > 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "init pibt: plans no departures or prefixes");
    size_t tables = dl_pibt_tables_bytes(input->instance);
    if (tables <= DL_PIBT_ROLLOUT_BYTES) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT,
                   "init pibt: %d agents on %d cells need %zu MB, more than the limit of %zu MB",
                   input->instance->agents, input->instance->grid->cells, tables >> 20, DL_PIBT_ROLLOUT_BYTES >> 20);
}

/* The first plan of lean LaCAM: collides nowhere, so that repair has nothing to do. */
#include "lacam/lacam.h"
#include "start/start.h"

/* To expand a configuration takes as long as so many searches. */
enum { EXPANSION_SEARCHES = 4 };

dl_status dl_start_check_lacam(const dl_start_input *input, int threads, dl_error *err)
{
    (void)threads;
    if (!input->instance->errand) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "init lacam: plans no departures, prefixes or goals in between");
}

/* Before all others it may take so much of the time: what LaCAM solves at all it mostly solves much sooner. */
static const double SHARE_BEFORE_OTHERS = 0.5;

/* Within a limit its plans differ from index to index. */
static dl_lacam_options options_of(dl_start_job *job)
{
    uint64_t seed = dl_rng_u64(&job->rng);
    if (job->effort->limit > 0) return dl_lacam_varied(seed, job->index, job->effort->limit);
    dl_lacam_options options = dl_lacam_lean(seed);
    options.anytime = false;
    /* One expansion moves all agents once; an iteration of repair is worth about that much. */
    options.expansions = job->input->iterations;
    return options;
}

bool dl_start_make_lacam(dl_start_job *job)
{
    dl_lacam_options options = options_of(job);
    dl_lacam_result result;
    dl_deadline limit = *job->deadline;
    if (dl_start_begins_with_lacam(job->input))
        limit = dl_deadline_within(limit, SHARE_BEFORE_OTHERS * dl_deadline_left(&limit));
    dl_status status = dl_lacam_solve(job->planner->instance, job->planner->distance, &options, limit, &result, NULL);
    bool found = status == DIFFLNS_OK && result.plan;
    job->effort->searches = EXPANSION_SEARCHES * result.expansions * (uint64_t)options.search.samples;
    if (status == DIFFLNS_OUT_OF_MEMORY) job->planner->exhausted = true;
    if (found) dl_start_read_plan(job->planner, result.plan);
    dl_lacam_result_release(&result);
    return found;
}

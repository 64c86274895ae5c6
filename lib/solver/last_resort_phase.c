#include "base/parallel.h"
#include "solver/solving.h"

/* Without a spare core the last resort begins at this share of the time limit; at the second share repair gives way to
 * it and the rest of the time lowers its cost. */
static const double LAST_RESORT_SHARE = 0.5, GIVE_WAY_SHARE = 0.9;

void dl_last_resort_prepare(dl_solving *s, int threads)
{
    const dl_options *o = s->options;
    /* On a large map it takes all of a core and much memory for long, and repair hardly ever fails. */
    bool spare_core = threads < dl_cores() && !dl_grid_is_large(s->instance->grid);
    s->last_resort = (dl_last_resort_thread){.instance = s->instance,
                                             .distance = s->distance,
                                             .options = {.seed = o->seed, .expansions = o->iterations},
                                             .due = s->began + (spare_core ? 0 : LAST_RESORT_SHARE * s->seconds),
                                             .end = s->deadline.end};
    if (o->fallback && !s->repeatable && !dl_deadline_passed(&s->deadline)) dl_last_resort_begin(&s->last_resort);
}

/* Where threads can't be had, a browser for example, the plan of last resort is made after repair. */
static bool without_thread(const dl_solving *s)
{
    return s->options->fallback && !s->repeatable && !s->last_resort.running;
}

bool dl_repair_gives_way(dl_solving *s)
{
    if (atomic_load_explicit(&s->winner, memory_order_relaxed) != DL_NO_WINNER) return false;
    if (without_thread(s)) return dl_now() >= s->began + LAST_RESORT_SHARE * s->seconds;
    return dl_now() >= s->began + GIVE_WAY_SHARE * s->seconds && dl_last_resort_has_plan(&s->last_resort);
}

void dl_last_resort_use(dl_solving *s)
{
    bool wanted = s->options->fallback && atomic_load(&s->winner) == DL_NO_WINNER;
    dl_last_resort_thread *r = &s->last_resort;
    bool later = s->repeatable || without_thread(s);
    dl_last_resort_finish(r, wanted, &s->deadline);
    if (wanted && later) {
        dl_last_resort_run(s->instance, s->distance, &r->options, s->deadline, &r->result);
        r->finished = dl_now();
    }
    dl_plan *plan = r->result.plan;
    if (wanted && plan) {
        const char *init = r->result.by_lacam ? "lacam" : DL_PUSH_AND_SWAP;
        s->candidate[s->next] = (dl_candidate){.init = init};
        atomic_store(&s->winner, s->next++);
        s->by_last_resort = true;
        s->best_soc = s->report->first_soc = dl_plan_soc(plan);
        s->report->first_seconds = r->finished - s->began;
        s->report->init = init;
        if (s->input->keep_start) s->report->start = dl_plan_copy(plan);
        if (dl_time_is_short(s, dl_plan_makespan(plan)) || !dl_best_read(s, plan)) {
            dl_plan_trim(plan);
            s->as_it_is = plan;
            plan = NULL;
        }
        dl_tell(s, DIFFLNS_EVENT_FIRST_PLAN, 0, s->best_soc, 0);
    }
    if (wanted && r->result.exhausted) atomic_store(&s->exhausted, true);
    dl_plan_free(plan);
}

#include "base/parallel.h"
#include "solver/solving.h"

/* Without a spare core the last resort begins at this share of the time limit; at the second share repair gives way to
 * it and the rest of the time lowers its cost. */
static const double LAST_RESORT_SHARE = 0.5, GIVE_WAY_SHARE = 0.9;
/* A board is crowded if agents stand on this share of its cells. There the last resort begins after so many seconds,
 * in which repair solves what is easy, and its plan is improved from then on. */
static const double CROWDED_SHARE = 0.35, CROWDED_SECONDS = 0.25;
/* So many hopeless candidates in a row, one from each kind of start, and all threads improve the plan of last resort.
 */
enum { HOPELESS_CANDIDATES = 3 };

void dl_last_resort_prepare(dl_solving *s, int threads)
{
    const dl_options *o = s->options;
    const dl_grid *grid = s->instance->grid;
    /* A caller that names a start wants the plan that grows from it. */
    s->is_crowded = o->fallback && o->init == 0 && grid->cells <= DL_BOARD_CELLS &&
                    s->instance->agents >= CROWDED_SHARE * grid->cells;
    /* On a large map it takes all of a core and much memory for long, and repair hardly ever fails. */
    bool spare_core = threads < dl_cores() && !dl_grid_is_large(s->instance->grid);
    s->last_resort = (dl_last_resort_thread){.instance = s->instance,
                                             .distance = s->distance,
                                             .options = {o->seed, o->iterations, .quick = s->is_crowded},
                                             .due = s->began + (s->is_crowded ? CROWDED_SECONDS
                                                                : spare_core  ? 0
                                                                              : LAST_RESORT_SHARE * s->seconds),
                                             .end = s->deadline.end};
    if (o->fallback && !s->repeatable && !dl_deadline_passed(&s->deadline)) dl_last_resort_begin(&s->last_resort);
}

/* Where threads can't be had, a browser for example, the plan of last resort is made after repair. */
static bool without_thread(const dl_solving *s)
{
    return s->options->fallback && !s->repeatable && !s->last_resort.running;
}

/* The best plan is this one: it counts as one more candidate. */
static void note_plan(dl_solving *s, const dl_plan *plan)
{
    const dl_last_resort_thread *r = &s->last_resort;
    s->report->init = r->result.by_lacam ? "lacam" : DL_PUSH_AND_SWAP;
    s->candidate[s->next++] = (dl_candidate){.init = s->report->init};
    s->report->first_soc = s->best_soc;
    s->report->first_seconds = r->finished - s->began;
    if (s->input->keep_start) s->report->start = dl_plan_copy(plan);
}

/* LaCAM may find a cheaper plan later than push-and-swap. */
static void look_again(dl_solving *s)
{
    dl_last_resort_thread *r = &s->last_resort;
    if (!atomic_load(&r->ready_again)) return;
    pthread_mutex_lock(&s->lock);
    dl_plan *plan = r->again;
    r->again = NULL;
    int64_t soc = plan ? dl_plan_soc(plan) : 0;
    bool wanted = plan && soc < s->best_soc && dl_best_read(s, plan);
    if (wanted) s->report->init = "lacam";
    pthread_mutex_unlock(&s->lock);
    if (wanted) dl_tell(s, DIFFLNS_EVENT_BETTER_PLAN, 0, soc, 0);
    dl_plan_free(plan);
}

/* On a full board the plan of last resort is the best one as soon as it is there. */
static void look(dl_solving *s)
{
    if (atomic_load(&s->reserved)) look_again(s);
    if (atomic_load(&s->reserved) || !dl_last_resort_has_plan(&s->last_resort)) return;
    const dl_plan *plan = s->last_resort.result.plan;
    pthread_mutex_lock(&s->lock);
    bool wanted = s->best_soc < 0 && !dl_time_is_short(s, dl_plan_makespan(plan)) && dl_best_read(s, plan);
    if (wanted) note_plan(s, plan);
    if (wanted) atomic_store(&s->reserved, true);
    int64_t soc = s->best_soc;
    pthread_mutex_unlock(&s->lock);
    if (wanted) dl_tell(s, DIFFLNS_EVENT_FIRST_PLAN, 0, soc, 0);
}

bool dl_repair_gives_way(const dl_worker *w)
{
    dl_solving *s = w->s;
    if (atomic_load_explicit(&s->winner, memory_order_relaxed) != DL_NO_WINNER) return false;
    if (s->is_crowded && s->last_resort.running) {
        look(s);
        bool is_hopeless = atomic_load_explicit(&s->hopeless, memory_order_relaxed) >= HOPELESS_CANDIDATES;
        return atomic_load(&s->reserved) && (w->number > 0 || s->rule.stop == DL_STOP_FIRST || is_hopeless);
    }
    if (without_thread(s)) return dl_now() >= s->began + LAST_RESORT_SHARE * s->seconds;
    return dl_now() >= s->began + GIVE_WAY_SHARE * s->seconds && dl_last_resort_has_plan(&s->last_resort);
}

bool dl_last_resort_use(dl_solving *s)
{
    bool wanted = s->options->fallback && s->best_soc < 0;
    dl_last_resort_thread *r = &s->last_resort;
    bool later = s->repeatable || without_thread(s);
    dl_last_resort_finish(r, wanted, &s->deadline);
    if (wanted && later) {
        dl_last_resort_run(s->instance, s->distance, &r->options, s->deadline, &r->result);
        r->finished = dl_now();
    }
    dl_plan *plan = r->result.plan;
    bool used = wanted && plan;
    if (used) {
        atomic_store(&s->winner, s->next);
        atomic_store(&s->reserved, true);
        /* A plan of millions of positions is not copied where it will not be improved. */
        bool is_final = s->rule.stop == DL_STOP_FIRST || dl_time_is_short(s, dl_plan_makespan(plan));
        if (is_final || !dl_best_read(s, plan)) {
            dl_plan_trim(plan);
            s->as_it_is = plan;
            s->best_soc = dl_plan_soc(plan);
        }
        note_plan(s, plan);
        if (s->as_it_is) plan = NULL;
        dl_tell(s, DIFFLNS_EVENT_FIRST_PLAN, 0, s->best_soc, 0);
    }
    dl_plan_free(r->again);
    if (wanted && r->result.exhausted) atomic_store(&s->exhausted, true);
    dl_plan_free(plan);
    return used;
}

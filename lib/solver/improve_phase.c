#include <math.h>

#include "search/iterated.h"
#include "solver/handover.h"
#include "solver/solving.h"

/* Improving threads compare their plans this often. */
static const double SYNC_SECONDS = 0.2;

bool dl_worth_improving(const dl_solving *s)
{
    if (atomic_load(&s->winner) == DL_NO_WINNER || s->as_it_is) return false;
    if (dl_time_is_short(s, dl_best_makespan(s))) return false;
    if (dl_best_makespan(s) > dl_planner_last_time(s->instance)) return false;
    return s->options->anytime || (s->by_last_resort && isfinite(s->seconds) && !s->repeatable);
}

/* The better of the worker's plan and the best one becomes both; false if memory or time is out. A worker takes up
 * another's plan only between rounds: a kick needs its time to show what it is worth. */
static bool synchronize(dl_worker *w, dl_iterated *m, bool between_rounds, const dl_deadline *deadline)
{
    dl_solving *s = w->s;
    bool done = true;
    pthread_mutex_lock(&s->lock);
    bool is_better = m->best.soc < s->best_soc;
    if (is_better) done = dl_best_publish(s, m->best.track, m->best.soc);
    if (between_rounds && m->best.soc > s->best_soc) done = dl_iterated_adopt(m, s->best, s->best_soc, deadline);
    pthread_mutex_unlock(&s->lock);
    if (is_better) dl_tell(s, DIFFLNS_EVENT_BETTER_PLAN, 0, m->best.soc, m->iterations);
    return done;
}

static void improve(dl_worker *w, dl_iterated *m, uint64_t budget, const dl_deadline *deadline)
{
    dl_solving *s = w->s;
    uint64_t burst = 1, round = 0;
    double next_sync = dl_now() + SYNC_SECONDS;
    while (m->iterations < budget && !dl_deadline_passed(deadline)) {
        uint64_t done = m->iterations, wanted = budget - done < burst ? budget - done : burst;
        double now = dl_now();
        dl_iterated_run(m, wanted, deadline);
        if (m->iterations == done) break; /* nothing can be better */
        burst = dl_burst_after(m->iterations - done, dl_now() - now);
        if (dl_tell_is_due(w)) dl_tell(s, DIFFLNS_EVENT_IMPROVING, 0, m->best.soc, m->iterations);
        bool new_round = m->rounds != round;
        if (!s->repeatable && (new_round || dl_now() >= next_sync)) { /* when it would be shown is chance */
            if (!synchronize(w, m, new_round, deadline)) break;
            next_sync = dl_now() + SYNC_SECONDS;
        }
        round = m->rounds;
    }
    synchronize(w, m, false, deadline);
}

void *dl_improve_phase(void *argument)
{
    dl_worker *w = argument;
    dl_solving *s = w->s;
    dl_iterated_options options = DL_ITERATED_DEFAULTS;
    uint64_t budget = UINT64_MAX;
    if (s->repeatable) { /* what the candidates left over */
        budget = s->options->iterations;
        for (int i = 0; i < dl_counted_candidates(s); i++) budget -= s->candidate[i].iterations;
    }
    if (!dl_worker_equip(w)) return NULL;
    pthread_mutex_lock(&s->lock);
    double handover = dl_handover_seconds(s->instance->agents, dl_best_makespan(s));
    dl_deadline deadline = dl_deadline_before_handover(s->deadline, handover);
    bool ready = dl_best_adopt(w, &deadline);
    pthread_mutex_unlock(&s->lock);
    if (!ready) return NULL;
    dl_iterated m;
    if (dl_iterated_begin(&m, w->planner, &options) && dl_iterated_start(&m, s->options->seed, (uint64_t)w->number))
        improve(w, &m, budget, &deadline);
    pthread_mutex_lock(&s->lock);
    s->report->improve_iterations += m.iterations;
    pthread_mutex_unlock(&s->lock);
    dl_iterated_end(&m);
    return NULL;
}

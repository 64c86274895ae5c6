#include "search/iterated.h"
#include "solver/handover.h"
#include "solver/solving.h"

/* Improving threads compare their plans this often. */
static const double SYNC_SECONDS = 0.2;
/* Where iterations are limited, the rule for handing over is looked at after so many: then it does not depend on time.
 */
enum { LOOK_ITERATIONS = 1000 };

bool dl_worth_improving(const dl_solving *s)
{
    if (atomic_load(&s->winner) == DL_NO_WINNER || s->as_it_is) return false;
    if (dl_time_is_short(s, dl_best_makespan(s))) return false;
    if (dl_best_makespan(s) > dl_planner_last_time(s->instance)) return false;
    return s->rule.stop != DL_STOP_FIRST;
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

/* Is it time to hand over? `spent` are the iterations of all, where those are limited. */
static bool is_time_to_stop(dl_solving *s, const dl_iterated *m, uint64_t spent)
{
    if (s->repeatable && m->iterations % LOOK_ITERATIONS != 0) return false;
    pthread_mutex_lock(&s->lock);
    if (s->repeatable) dl_stop_rule_note(&s->rule, (double)spent, m->best.soc);
    bool is_met = dl_stop_rule_is_met(&s->rule, s->repeatable ? (double)spent : dl_now() - s->began);
    pthread_mutex_unlock(&s->lock);
    return is_met;
}

static void improve(dl_worker *w, dl_iterated *m, uint64_t repaired, uint64_t budget, const dl_deadline *deadline)
{
    dl_solving *s = w->s;
    uint64_t burst = 1, round = 0;
    double next_sync = dl_now() + SYNC_SECONDS;
    while (m->iterations < budget && !dl_deadline_passed(deadline)) {
        if (is_time_to_stop(s, m, repaired + m->iterations)) break;
        uint64_t done = m->iterations, wanted = budget - done < burst ? budget - done : burst;
        uint64_t look = LOOK_ITERATIONS - done % LOOK_ITERATIONS;
        if (s->repeatable && wanted > look) wanted = look;
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

static void *improve_phase(void *argument)
{
    dl_worker *w = argument;
    dl_solving *s = w->s;
    dl_iterated_options options = DL_ITERATED_DEFAULTS;
    options.redrafter = dl_redrafting_redrafter(s->redrafting);
    uint64_t repaired = 0;
    for (int i = 0; i < dl_counted_candidates(s); i++) repaired += s->candidate[i].iterations;
    uint64_t budget =
        s->repeatable ? s->options->iterations - repaired : UINT64_MAX; /* what the candidates left over */
    if (!dl_worker_equip(w)) return NULL;
    pthread_mutex_lock(&s->lock);
    double handover = dl_handover_seconds(s->instance->agents, dl_best_makespan(s));
    dl_deadline deadline = dl_deadline_before_handover(s->deadline, handover);
    bool ready = dl_best_adopt(w, &deadline);
    pthread_mutex_unlock(&s->lock);
    if (!ready) return NULL;
    dl_iterated m;
    if (dl_iterated_begin(&m, w->planner, &options) && dl_iterated_start(&m, s->options->seed, (uint64_t)w->number))
        improve(w, &m, repaired, budget, &deadline);
    pthread_mutex_lock(&s->lock);
    s->report->improve_iterations += m.iterations;
    pthread_mutex_unlock(&s->lock);
    dl_iterated_end(&m);
    return NULL;
}

void dl_improve_best(dl_solving *s, dl_worker *workers, int threads)
{
    bool redrafts = s->options->redraft == DL_REDRAFT_ON && !s->instance->errand; /* the network knows no errands */
    if (redrafts) s->redrafting = dl_redrafting_create(s->starts, threads);
    dl_run_phase(workers, threads, improve_phase);
    dl_redrafting_free(s->redrafting);
    s->redrafting = NULL;
}

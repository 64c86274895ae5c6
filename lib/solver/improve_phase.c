#include <stdlib.h>

#include "base/ablation.h"
#include "base/memory.h"
#include "lns/race.h"
#include "solver/handover.h"
#include "solver/solving.h"

/* Improving threads compare their plans this often. */
static const double SYNC_SECONDS = 0.2;
/* Where iterations are limited, the rule for handing over is looked at after so many: then it does not depend on time.
 */
enum { LOOK_ITERATIONS = 1000 };
/* Beside repair, a second of it gives so many to improvement, where no other thread improves: boards that repair solves
 * in some seconds end far cheaper that way. */
static const double BESIDE_SHARE = 0.5;
/* Another thread's plan is taken up between rounds if it costs less than this share of the own one: descents end
 * several percent apart, and two that go on from one plan find much the same. When this share of the limit is over, any
 * cheaper one is. */
static const double CHEAPER = 0.98, APART = 0.7;
/* A far cheaper one is taken up at once. */
static const double FAR_CHEAPER = 0.5;
/* A plan of last resort is not settled while repair goes on, up to this share of the limit. */
static const double PENDING_SHARE = 0.5;

/* To begin takes so long for each cell of the map: arrays are made, and every cell is looked at. */
static const double BEGIN_SECONDS = 2e-8;

/* Lowers the cost of a plan, at once or in slices. */
struct dl_improver {
    dl_worker *w;
    dl_planner *planner; /* not owned */
    dl_race race;
    dl_deadline deadline;
    bool is_late;     /* its plan was repaired while another one was improved already */
    const char *init; /* what its plan grew from */
    uint64_t won;     /* challengers that had won at the last look */
    uint64_t burst, round;
    double next_sync;
    bool is_over; /* nothing can be better, or there is no memory for more */
};

bool dl_worth_improving(dl_solving *s)
{
    if (s->rule.stop == DL_STOP_FIRST) return false;
    pthread_mutex_lock(&s->lock);
    int makespan = dl_best_makespan(s);
    bool is_there = s->best_soc >= 0 && !s->as_it_is;
    pthread_mutex_unlock(&s->lock);
    if (dl_deadline_left(&s->deadline) < BEGIN_SECONDS * s->instance->grid->cells) return false;
    return is_there && !dl_time_is_short(s, makespan) && makespan <= dl_planner_last_time(s->instance);
}

/* The best plan is that of last resort, or one that was made in haste, and one that repair may yet find would end far
 * below it. */
static bool is_pending(const dl_solving *s, double spent)
{
    bool hopes = (atomic_load(&s->reserved) && !atomic_load(&s->repaired)) ||
                 dl_start_begins_with_lacam(dl_starts_input(s->starts));
    return hopes && atomic_load(&s->repairing) > 0 && spent < PENDING_SHARE * s->seconds;
}

bool dl_is_time_to_stop(dl_solving *s)
{
    double spent = dl_now() - s->began;
    pthread_mutex_lock(&s->lock);
    bool is_best = s->best_soc >= 0 && s->best_soc <= s->lower_bound;
    bool is_met = is_best || (!is_pending(s, spent) && dl_stop_rule_is_met(&s->rule, spent));
    pthread_mutex_unlock(&s->lock);
    return is_met;
}

/* A challenger's plan grew from another start. */
static void note_origin(dl_improver *i)
{
    dl_report *report = i->w->s->report;
    if (i->race.won == i->won) return;
    i->won = i->race.won;
    i->init = dl_start_find(i->race.fresh == DL_FRESH_LACAM ? "lacam" : "traffic")->name;
    dl_plan_free(report->start);
    report->start = i->race.start;
    i->race.start = NULL;
}

/* The share of the own plan's cost below which another's is taken up: hardly ever within a round, since a kick needs
 * its time to show what it is worth, and so does the opening, and a plan that came later than the other. */
static double taken_up_below(const dl_improver *i, bool between_rounds)
{
    const dl_solving *s = i->w->s;
    if (!between_rounds) return FAR_CHEAPER;
    if (dl_now() - s->began >= APART * s->seconds) return 1;
    return i->is_late ? FAR_CHEAPER : CHEAPER;
}

/* The improver's plan becomes the best one, or the best one the improver's, if it is cheaper enough; false if memory or
 * time is out. */
static bool synchronize(dl_improver *i, bool between_rounds)
{
    dl_solving *s = i->w->s;
    const dl_snapshot *best = dl_race_best(&i->race);
    int64_t soc = best->soc;
    bool done = true;
    pthread_mutex_lock(&s->lock);
    bool is_better = soc < s->best_soc;
    if (is_better) {
        done = dl_best_publish(s, best->track, soc);
        note_origin(i);
        s->report->init = i->init;
        if (i->w->grew_from && i->init == i->w->init) {
            dl_plan_free(s->report->start);
            s->report->start = i->w->grew_from;
            i->w->grew_from = NULL;
        }
    }
    if ((double)s->best_soc < taken_up_below(i, between_rounds) * (double)soc) {
        i->is_late = false;
        done = dl_race_adopt(&i->race, s->best, s->best_soc, &i->deadline);
        i->init = s->report->init;
        i->won = i->race.won; /* what won here before did not win there */
        /* Plans of LaCAM's are no match for a repaired one. */
        if (i->race.fresh == DL_FRESH_LACAM && atomic_load(&s->repaired)) i->race.policy = DL_CHALLENGES_NEVER;
    }
    pthread_mutex_unlock(&s->lock);
    if (is_better) dl_tell(s, DIFFLNS_EVENT_BETTER_PLAN, 0, soc, i->race.iterated.iterations);
    return done;
}

/* Is it time to hand over? `spent` are the iterations of all, where those are limited. */
static bool is_time_to_stop(dl_solving *s, const dl_race *race, uint64_t spent)
{
    if (!s->repeatable) return dl_is_time_to_stop(s);
    int64_t soc = dl_race_best(race)->soc;
    if (soc <= s->lower_bound) return true;
    if (race->iterated.iterations % LOOK_ITERATIONS != 0) return false;
    dl_stop_rule_note(&s->rule, (double)spent, soc); /* there is one thread */
    return dl_stop_rule_is_met(&s->rule, (double)spent);
}

/* The first to come adds up the distances: a plan that costs no more is the best there is. */
static void find_lower_bound(dl_solving *s)
{
    pthread_mutex_lock(&s->lock);
    bool is_known = s->lower_bound >= 0;
    if (!is_known) s->lower_bound = 0; /* somebody is at it, and so much is certain */
    pthread_mutex_unlock(&s->lock);
    if (is_known) return;
    int64_t bound = dl_distance_lower_bound_within(s->distance, &s->deadline);
    pthread_mutex_lock(&s->lock);
    if (bound > 0) s->lower_bound = bound;
    pthread_mutex_unlock(&s->lock);
}

static dl_challenges usual_challenges(const dl_solving *s)
{
    return s->rule.stop == DL_STOP_LIMIT ? DL_CHALLENGES_EARLY : DL_CHALLENGES_STALLED;
}

/* The plan at hand is that of last resort, or grew from it. */
static bool is_reserve(dl_solving *s, const dl_worker *w)
{
    return atomic_load(&s->reserved) && !w->has_plan;
}

/* Other starts may do better, where none was asked for and they are soon improved. The first thread lowers the cost of
 * the first plan, which may be handed over soon; the others do not have to. */
static dl_challenges first_challenges(dl_solving *s, const dl_worker *w)
{
    if (s->options->init != 0 || s->instance->errand) return DL_CHALLENGES_NEVER;
    if (s->instance->grid->cells > DL_BOARD_CELLS) return DL_CHALLENGES_NEVER;
    if (is_reserve(s, w)) return atomic_load(&s->repaired) ? DL_CHALLENGES_NEVER : DL_CHALLENGES_EARLY;
    if (w->number > 0 && !s->repeatable) return DL_CHALLENGES_AT_ONCE;
    return usual_challenges(s);
}

/* From the planner's own plan, or from the best one. False if memory or time is out; end it all the same. */
static bool begin(dl_improver *i, dl_worker *w, dl_planner *planner, bool own, uint64_t stream)
{
    dl_solving *s = w->s;
    dl_iterated_options options = DL_ITERATED_DEFAULTS;
    *i = (dl_improver){.w = w, .planner = planner, .burst = 1, .init = w->init};
    find_lower_bound(s);
    pthread_mutex_lock(&s->lock);
    double handover = dl_handover_seconds(s->instance->agents, dl_best_makespan(s));
    i->deadline = dl_deadline_before_handover(s->deadline, handover);
    i->is_late = own && atomic_load(&s->reserved);
    /* What was best until now may have been settled for long, unimproved or not. */
    bool in_haste = dl_start_begins_with_lacam(dl_starts_input(s->starts));
    if ((i->is_late || s->in_rounds || in_haste) && !s->repeatable) dl_stop_rule_renew(&s->rule, dl_now() - s->began);
    bool ready = own || dl_best_adopt(s, planner, &i->deadline);
    if (!own) i->init = s->report->init;
    pthread_mutex_unlock(&s->lock);
    if (!ready) return false;
    i->next_sync = dl_now() + SYNC_SECONDS;
    bool begun = dl_race_begin(&i->race, planner, &options, first_challenges(s, w));
    i->race.fresh = is_reserve(s, w) ? DL_FRESH_LACAM : DL_FRESH_TRAFFIC;
    i->race.keeps_starts = s->input->keep_start;
    return begun && dl_race_start(&i->race, s->options->seed, stream);
}

/* Challenges at once are followed by the usual ones, and early ones come to an end. Where iterations are limited, they
 * are looked at when the rule for handing over is. */
static void change_challenges(dl_improver *i, uint64_t budget)
{
    const dl_solving *s = i->w->s;
    uint64_t done = i->race.iterated.iterations;
    if (i->race.policy == DL_CHALLENGES_AT_ONCE && i->race.challenges > 0) i->race.policy = usual_challenges(s);
    if (i->race.policy != DL_CHALLENGES_EARLY || (s->repeatable && done % LOOK_ITERATIONS != 0)) return;
    bool is_over = s->repeatable ? (double)done >= DL_EARLY_SHARE * (double)budget
                                 : dl_now() - s->began >= DL_EARLY_SHARE * s->seconds;
    if (is_over) i->race.policy = DL_CHALLENGES_STALLED;
}

/* Improves for so long. `repaired` iterations were spent before; `budget` is the most to make. */
static void run(dl_improver *i, uint64_t repaired, uint64_t budget, dl_deadline until)
{
    dl_solving *s = i->w->s;
    const dl_iterated *m = &i->race.iterated;
    while (!i->is_over && m->iterations < budget && !dl_deadline_passed(&until)) {
        if (is_time_to_stop(s, &i->race, repaired + m->iterations)) break;
        uint64_t done = m->iterations, wanted = budget - done < i->burst ? budget - done : i->burst;
        uint64_t look = LOOK_ITERATIONS - done % LOOK_ITERATIONS;
        if (s->repeatable && wanted > look) wanted = look;
        change_challenges(i, budget);
        double now = dl_now();
        dl_race_run(&i->race, wanted, &i->deadline);
        i->is_over = m->iterations == done; /* nothing can be better */
        i->burst = dl_burst_after(m->iterations - done, dl_now() - now);
        if (dl_tell_is_due(i->w)) dl_tell(s, DIFFLNS_EVENT_IMPROVING, 0, dl_race_best(&i->race)->soc, m->iterations);
        bool new_round = m->rounds != i->round && !i->race.is_challenge;
        if (!s->repeatable && (new_round || dl_now() >= i->next_sync)) { /* when it would be shown is chance */
            if (!synchronize(i, new_round)) i->is_over = true;
            i->next_sync = dl_now() + SYNC_SECONDS;
        }
        i->round = m->rounds;
    }
}

static void end(dl_improver *i, bool was_begun)
{
    dl_solving *s = i->w->s;
    if (was_begun) synchronize(i, false);
    pthread_mutex_lock(&s->lock);
    s->report->improve_iterations += i->race.iterated.iterations;
    pthread_mutex_unlock(&s->lock);
    dl_race_end(&i->race);
}

void *dl_improve_phase(void *argument)
{
    dl_worker *w = argument;
    dl_solving *s = w->s;
    uint64_t repaired = 0, budget = UINT64_MAX;
    if (s->repeatable) { /* what the candidates left over */
        for (int i = 0; i < dl_counted_candidates(s); i++) repaired += s->candidate[i].iterations;
        budget = s->options->iterations - repaired;
    }
    if (!dl_worker_equip(w)) return NULL;
    bool own = w->has_plan && !s->repeatable && !w->planner->exhausted;
    dl_improver improver;
    bool ready = begin(&improver, w, w->planner, own, (uint64_t)w->number);
    if (ready) run(&improver, repaired, budget, improver.deadline);
    end(&improver, ready);
    return NULL;
}

/* ---- beside repair ---- */

static dl_improver *begin_beside(dl_worker *w)
{
    dl_solving *s = w->s;
    dl_planner *planner = dl_planner_create(s->instance, s->distance, DL_ENGINE_AUTO);
    dl_improver *i = planner ? DL_NEW(dl_improver) : NULL;
    if (i && begin(i, w, planner, false, (uint64_t)DL_MOST_THREADS + (uint64_t)w->number)) return i;
    if (i) end(i, false);
    free(i);
    dl_planner_free(planner);
    return NULL;
}

double dl_improve_beside(dl_worker *w, double seconds)
{
    dl_solving *s = w->s;
    double began = dl_now();
    if (dl_is_without(DL_TECHNIQUE_beside)) return 0;
    if (w->is_alone || s->report->threads > 1 || !dl_worth_improving(s)) return 0;
    if (!w->beside) w->beside = begin_beside(w);
    w->is_alone = !w->beside;
    if (w->is_alone) return dl_now() - began;
    run(w->beside, 0, UINT64_MAX, dl_deadline_within(w->beside->deadline, BESIDE_SHARE * seconds));
    return dl_now() - began;
}

void dl_improve_beside_end(dl_worker *w)
{
    if (!w->beside) return;
    dl_planner *planner = w->beside->planner;
    end(w->beside, true);
    dl_planner_free(planner);
    free(w->beside);
    w->beside = NULL;
}

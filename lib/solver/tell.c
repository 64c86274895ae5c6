#include "solver/event.h"
#include "solver/solving.h"

static const double REPORT_SECONDS = 0.1;

/* A copy of the best valid plan, for listeners. */
static dl_status copy_best(void *solve, dl_plan **out, dl_error *err)
{
    dl_solving *s = solve;
    pthread_mutex_lock(&s->lock);
    bool found = s->best_soc >= 0;
    *out = !found ? NULL : s->as_it_is ? dl_plan_copy(s->as_it_is) : dl_best_write(s);
    pthread_mutex_unlock(&s->lock);
    if (!found) return dl_fail(err, DIFFLNS_UNSOLVED, "there is no valid plan yet");
    return *out ? DIFFLNS_OK : dl_out_of_memory(err);
}

void dl_tell(dl_solving *s, difflns_event_type type, int64_t conflicts, int64_t soc, uint64_t iterations)
{
    if (!s->input->listener) return;
    const difflns_event event = {.type = type,
                                 .seconds = dl_now() - s->began,
                                 .conflicts = conflicts,
                                 .soc = soc,
                                 .iterations = iterations,
                                 .copy_best = copy_best,
                                 .solve = s};
    pthread_mutex_lock(&s->telling);
    s->input->listener(s->input->user, &event);
    pthread_mutex_unlock(&s->telling);
}

bool dl_tell_is_due(dl_worker *w)
{
    if (!w->s->input->listener || w->number != 0 || dl_now() < w->next_report) return false;
    w->next_report = dl_now() + REPORT_SECONDS;
    return true;
}

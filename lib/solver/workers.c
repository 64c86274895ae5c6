#include "solver/handover.h"
#include "solver/solving.h"

/* Threads look up from their work this often: to see what the others found and to report. */
static const double BURST_SECONDS = 0.01;
/* A plan is improved only with so many times the time left that handing it over takes: taking it up takes longer still.
 */
static const double LONG_HANDOVER = 3;

bool dl_worker_equip(dl_worker *w)
{
    if (!w->planner) w->planner = dl_scratch_planner(w->s->scratch, w->number, w->s->instance, w->s->distance);
    return w->planner != NULL;
}

uint64_t dl_burst_after(uint64_t iterations, double seconds)
{
    double fit = (double)iterations * BURST_SECONDS / (seconds + 1e-6);
    return fit < 1 ? 1 : fit > 4096 ? 4096 : (uint64_t)fit;
}

bool dl_time_is_short(const dl_solving *s, int makespan)
{
    double handover = dl_handover_seconds(s->instance->agents, makespan);
    return dl_deadline_canceled(&s->deadline) || dl_deadline_left(&s->deadline) < LONG_HANDOVER * handover;
}

void dl_run_phase(dl_worker *workers, int threads, void *(*phase)(void *))
{
    pthread_t thread[DL_MOST_THREADS];
    int started = 1;
    while (started < threads && pthread_create(&thread[started], NULL, phase, &workers[started]) == 0) started++;
    phase(&workers[0]);
    for (int i = 1; i < started; i++) pthread_join(thread[i], NULL);
}

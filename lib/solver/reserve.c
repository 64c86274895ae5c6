#include "solver/reserve.h"

/* How often sleepers look up. */
static const struct timespec NAP = {0, 5000000};

static void *make_plan(void *argument)
{
    dl_reserve *r = argument;
    while (dl_now() < r->due && !atomic_load(&r->hurry) && !atomic_load(&r->enough)) nanosleep(&NAP, NULL);
    if (!atomic_load(&r->enough))
        dl_fallback_run(r->instance, r->distance, &r->options, (dl_deadline){r->end, &r->enough}, &r->result);
    r->finished = dl_now();
    atomic_store(&r->ready, 1);
    return NULL;
}

bool dl_reserve_begin(dl_reserve *r)
{
    r->running = pthread_create(&r->thread, NULL, make_plan, r) == 0;
    return r->running;
}

void dl_reserve_finish(dl_reserve *r, bool wanted, const dl_deadline *deadline)
{
    if (!r->running) return;
    atomic_store(wanted ? &r->hurry : &r->enough, 1);
    while (!atomic_load(&r->ready) && !dl_deadline_passed(deadline)) nanosleep(&NAP, NULL);
    atomic_store(&r->enough, 1);
    pthread_join(r->thread, NULL);
    r->running = false;
}

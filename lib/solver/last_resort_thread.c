#include "solver/last_resort_thread.h"

#include <math.h>

/* Waits for a change of state until `end` on the clock of dl_now(). Under the lock. */
static void wait_until(dl_last_resort_thread *r, double end)
{
    double whole = floor(end);
    if (isfinite(whole)) {
        struct timespec until = {(time_t)whole, (long)((end - whole) * 1e9)};
        pthread_cond_timedwait(&r->changed, &r->lock, &until);
    } else {
        pthread_cond_wait(&r->changed, &r->lock);
    }
}

static void *make_plan(void *argument)
{
    dl_last_resort_thread *r = argument;
    pthread_mutex_lock(&r->lock);
    while (dl_now() < r->due && !r->hurry && !atomic_load(&r->enough)) wait_until(r, r->due);
    pthread_mutex_unlock(&r->lock);
    if (!atomic_load(&r->enough))
        dl_last_resort_run(r->instance, r->distance, &r->options, (dl_deadline){r->end, &r->enough}, &r->result);
    pthread_mutex_lock(&r->lock);
    r->finished = dl_now();
    atomic_store(&r->ready, 1);
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
    if (r->options.quick && !r->result.by_lacam && !atomic_load(&r->enough)) {
        r->again = dl_last_resort_again(r->instance, r->distance, &r->options, (dl_deadline){r->end, &r->enough});
        atomic_store(&r->ready_again, 1);
    }
    return NULL;
}

bool dl_last_resort_begin(dl_last_resort_thread *r)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC); /* that of dl_now() */
    pthread_cond_init(&r->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&r->lock, NULL);
    r->running = pthread_create(&r->thread, NULL, make_plan, r) == 0;
    if (r->running) return true;
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    return false;
}

void dl_last_resort_finish(dl_last_resort_thread *r, bool wanted, const dl_deadline *deadline)
{
    if (!r->running) return;
    pthread_mutex_lock(&r->lock);
    r->hurry = true;
    if (!wanted) atomic_store(&r->enough, 1);
    pthread_cond_broadcast(&r->changed);
    while (!atomic_load(&r->ready) && !dl_deadline_passed(deadline)) {
        /* Nobody signals a request to stop: it is looked for. */
        double look = dl_now() + DL_LAST_RESORT_LOOK;
        wait_until(r, look < deadline->end ? look : deadline->end);
    }
    atomic_store(&r->enough, 1);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    r->running = false;
}

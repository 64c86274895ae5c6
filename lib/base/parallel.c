#include "base/parallel.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

int dl_cores(void)
{
    int cores = 0;
#ifdef __linux__
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0) cores = CPU_COUNT(&mask);
#endif
    /* The mask has room for 1024 cores; a larger machine refuses the call. */
    if (cores < 1) cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? cores : 1;
}

typedef struct loop {
    atomic_int next;
    int count;
    void (*body)(void *context, int index);
    void *context;
} loop;

static void *work(void *argument)
{
    loop *l = argument;
    for (int i; (i = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed)) < l->count;) l->body(l->context, i);
    return NULL;
}

void dl_parallel_for(int count, int threads, void (*body)(void *context, int index), void *context)
{
    loop l = {.count = count, .body = body, .context = context};
    if (threads <= 0) threads = dl_cores();
    if (threads > count) threads = count;
    pthread_t *helper = threads > 1 ? malloc(sizeof *helper * (size_t)(threads - 1)) : NULL;
    int helpers = 0;
    while (helper && helpers < threads - 1 && pthread_create(&helper[helpers], NULL, work, &l) == 0) helpers++;
    work(&l);
    for (int i = 0; i < helpers; i++) pthread_join(helper[i], NULL);
    free(helper);
    assert(l.next >= count); /* every index was taken */
}

/* Time limits on random calls of the solver, all in this process, with nothing loaded or started in between.
 *
 *   deadlines [COUNT [SEED]]      so many trials from that seed on
 *   deadlines --trial SEED        one of them, again; also prints when its limit passed and when it ended, so that
 *                                 perf record -k CLOCK_MONOTONIC and perf script --time show what it did in between
 *
 * What counts is processor time: how much of it this process uses behind the end of the limit. Time on the wall is
 * told beside it; it also passes when other processes are at work. A trial that is far too late is named at once, and
 * an interrupted run (INT, TERM) sums up what it has: ten thousand trials take hours. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trial.h"

enum { WORST = 12, MOST_SIDE = 4096 };
static const double FAR_TOO_LATE = 0.05; /* seconds of CPU: what p99.9 must stay below */

static double on_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What the clock of the processor said when the limit passed. A signal comes before anything else is computed, even if
 * the process did not run at that moment. */
static volatile sig_atomic_t limit_has_passed;
static struct timespec cpu_at_limit;

static void note_the_limit(int signal)
{
    (void)signal;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu_at_limit);
    limit_has_passed = 1;
}

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

typedef struct overrun {
    trial trial;
    int cells;
    difflns_status status;
    double end;       /* on the clock of the wall */
    double cpu, wall; /* seconds behind the limit; 0 if it ended before */
} overrun;

static void arm(timer_t timer, double seconds)
{
    struct itimerspec end = {.it_value = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))}};
    timer_settime(timer, 0, &end, NULL);
}

/* False if there is no such trial. */
static bool measure(timer_t timer, const difflns_model *model, uint64_t seed, overrun *out)
{
    trial t = trial_draw(seed, MOST_SIDE);
    difflns_instance *instance = trial_instance(&t);
    if (!instance) return false;
    *out = (overrun){.trial = t, .cells = difflns_map_free_cells(difflns_instance_map(instance))};
    out->trial.agents = difflns_instance_agents(instance);
    difflns_error err;
    limit_has_passed = 0;
    double begin = on_clock(CLOCK_MONOTONIC);
    arm(timer, t.limit);
    out->status = trial_run(&t, instance, model, &err);
    double cpu = on_clock(CLOCK_PROCESS_CPUTIME_ID), wall = on_clock(CLOCK_MONOTONIC) - begin - t.limit;
    out->end = begin + t.limit + wall;
    arm(timer, 0);
    difflns_instance_free(instance);
    if (limit_has_passed) {
        out->cpu = cpu - ((double)cpu_at_limit.tv_sec + 1e-9 * (double)cpu_at_limit.tv_nsec);
        out->wall = wall > 0 ? wall : 0;
    }
    switch (out->status) {
    case DIFFLNS_OK:
    case DIFFLNS_UNSOLVED:
    case DIFFLNS_UNSOLVABLE:
    case DIFFLNS_BAD_INPUT: /* a start that would need more memory than it may have */
        return true;
    default:
        break;
    }
    printf("trial %llu: %s\n", (unsigned long long)seed, err.message);
    exit(1);
}

static void print(const overrun *o)
{
    const trial *t = &o->trial;
    printf("%8llu  %-16s %5d %8d cells %5d agents  %-9s %-7s %d threads %9.1f ms  %+8.1f ms of CPU %+8.1f ms  %s\n",
           (unsigned long long)t->seed, t->map, t->side, o->cells, t->agents, t->init, t->stop, t->threads,
           1e3 * t->limit, 1e3 * o->cpu, 1e3 * o->wall, difflns_status_name(o->status));
}

static int by_cpu(const void *a, const void *b)
{
    double x = ((const overrun *)a)->cpu, y = ((const overrun *)b)->cpu;
    return (x > y) - (x < y);
}

static int by_wall(const void *a, const void *b)
{
    double x = ((const overrun *)a)->wall, y = ((const overrun *)b)->wall;
    return (x > y) - (x < y);
}

/* The smallest that at least this share does not exceed. */
static const overrun *quantile(const overrun *sorted, int count, double share)
{
    int index = (int)(share * count);
    return &sorted[index < count ? index : count - 1];
}

static void summarize(overrun *list, int count)
{
    static const double SHARE[] = {0.5, 0.9, 0.99, 0.999, 1};
    int late = 0;
    for (int i = 0; i < count; i++) late += list[i].wall > 0;
    printf("%d trials, %d at their limit; milliseconds behind it\n          p50      p90      p99    p99.9      "
           "max\nwall ",
           count, late);
    qsort(list, (size_t)count, sizeof *list, by_wall);
    for (int i = 0; i < 5; i++) printf("%9.1f", 1e3 * quantile(list, count, SHARE[i])->wall);
    printf("\nCPU  ");
    qsort(list, (size_t)count, sizeof *list, by_cpu);
    for (int i = 0; i < 5; i++) printf("%9.1f", 1e3 * quantile(list, count, SHARE[i])->cpu);
    printf("\nThe worst, by seed (deadlines --trial SEED):\n");
    for (int i = count - 1; i >= 0 && i >= count - WORST; i--) print(&list[i]);
}

int main(int arguments, char **argument)
{
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    signal(SIGALRM, note_the_limit);
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    difflns_model *model;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || difflns_model_load(NULL, &model, NULL) != DIFFLNS_OK)
        return 2;
    bool one = arguments == 3 && strcmp(argument[1], "--trial") == 0;
    int wanted = one || arguments < 2 ? one ? 1 : 2000 : atoi(argument[1]);
    uint64_t seed = arguments > 2 ? strtoull(argument[2], NULL, 10) : 1;
    overrun *list = calloc((size_t)wanted + 1, sizeof *list);
    int count = 0;
    for (int i = 0; i < wanted && !interrupted; i++) {
        if (!measure(timer, model, seed + (uint64_t)i, &list[count])) continue;
        if (one || list[count].cpu > FAR_TOO_LATE) print(&list[count]);
        fflush(stdout);
        if (one) printf("perf script --time %.6f,%.6f\n", list[count].end - list[count].wall, list[count].end);
        count++;
    }
    if (count > 0 && !one) summarize(list, count);
    free(list);
    difflns_model_free(model);
    timer_delete(timer);
    return 0;
}

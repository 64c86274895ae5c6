#include "cli/terminal.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/deadline.h"

enum { WIDTH = 24 };                       /* of the bar, in characters */
static const double LIVE_INTERVAL = 0.1;   /* seconds between drawings on a terminal ... */
static const double PLAIN_INTERVAL = 10.0; /* ... and between lines elsewhere */

static void draw(terminal_bar *bar, const char *detail)
{
    double seconds = dl_now() - bar->begin;
    if (!bar->live) {
        fprintf(stderr, "%s: %llu of %llu, %.0f s, %s\n", bar->title, (unsigned long long)bar->done,
                (unsigned long long)bar->total, seconds, detail);
        return;
    }
    char blocks[WIDTH + 1];
    double share = bar->total ? (double)bar->done / (double)bar->total : 0;
    int full = (int)(share * WIDTH);
    memset(blocks, '.', WIDTH);
    memset(blocks, '#', (size_t)(full < WIDTH ? full : WIDTH));
    blocks[WIDTH] = 0;
    fprintf(stderr, "\r\033[K%s [%s] %llu/%llu  %.0f s", bar->title, blocks, (unsigned long long)bar->done,
            (unsigned long long)bar->total, seconds);
    if (share > 0 && share < 1) fprintf(stderr, ", %.0f s left", seconds * (1 - share) / share);
    fprintf(stderr, "  %s", detail);
    fflush(stderr);
}

static void report(void *user, uint64_t done, uint64_t total, const char *detail)
{
    terminal_bar *bar = user;
    double now = dl_now();
    if (bar->quiet || now - bar->last < (bar->live ? LIVE_INTERVAL : PLAIN_INTERVAL)) return;
    bar->last = now;
    bar->done = done;
    bar->total = total;
    draw(bar, detail);
}

void terminal_bar_begin(terminal_bar *bar, const char *title, bool quiet)
{
    double now = dl_now();
    *bar = (terminal_bar){.title = title, .quiet = quiet, .live = isatty(STDERR_FILENO), .begin = now, .last = now};
    bar->progress = (dl_progress){report, bar};
}

void terminal_bar_clear(terminal_bar *bar)
{
    if (!bar->quiet && bar->live) fprintf(stderr, "\r\033[K");
}

/* A signal handler has no other way to speak. */
static atomic_int caught;

static void on_signal(int number)
{
    atomic_store(&caught, number);
}

const atomic_int *terminal_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup means: go on */
        sigaction(SIGHUP, &action, NULL);
    return &caught;
}

int terminal_signal_status(void)
{
    int number = atomic_load(&caught);
    return number ? 128 + number : 0;
}

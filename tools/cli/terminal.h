/* What long work shows and hears: a progress bar on stderr, and Ctrl-C. */
#ifndef DL_CLI_TERMINAL_H
#define DL_CLI_TERMINAL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/progress.h"

typedef struct terminal_bar {
    const char *title;
    bool quiet;
    bool live;          /* stderr is a terminal: redraw one line; otherwise a line every few seconds */
    double begin, last; /* when it began, when it was last drawn */
    uint64_t done, total;
    dl_progress progress; /* hand this to the work */
} terminal_bar;

/* `bar` must stay where it is until the end. */
void terminal_bar_begin(terminal_bar *bar, const char *title, bool quiet);
/* Clears the line: at the end, and before anything else is printed on the same terminal. */
void terminal_bar_clear(terminal_bar *bar);

/* From now on SIGHUP, SIGINT and SIGTERM set the returned flag to the signal's number (0 = none came); a second one of
 * the same kind ends the program at once. */
const atomic_int *terminal_catch_signals(void);
/* 129 after SIGHUP, 130 after SIGINT, 143 after SIGTERM, 0 if none came. */
int terminal_signal_status(void);

#endif

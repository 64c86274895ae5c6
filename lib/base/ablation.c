#include "base/ablation.h"

#ifdef DIFFLNS_ABLATION
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAME[DL_TECHNIQUES] = {
#define TECHNIQUE(id, name, help) name,
#include "base/ablation.def"
#undef TECHNIQUE
};

/* Builds for measuring only: the one thing here that all threads share. */
static bool without[DL_TECHNIQUES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void switch_off(const char *name)
{
    for (int i = 0; i < DL_TECHNIQUES; i++)
        if (strcmp(NAME[i], name) == 0) {
            without[i] = true;
            return;
        }
    fprintf(stderr, "DIFFLNS_WITHOUT: no technique %s in lib/base/ablation.def\n", name);
    exit(2); /* a measurement of nothing would look like one of something */
}

static void read_environment(void)
{
    const char *names = getenv("DIFFLNS_WITHOUT");
    char *copy = strdup(names ? names : ""), *rest = copy;
    if (!copy) abort();
    for (char *name; (name = strsep(&rest, ","));)
        if (*name) switch_off(name);
    free(copy);
}

bool dl_is_without(dl_technique technique)
{
    pthread_once(&once, read_environment);
    return without[technique];
}
#endif

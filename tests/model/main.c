/* The model-based tester: random sequences of calls against a plain model (world.h). Each sequence runs in a process of
 * its own, so that a crash is a result. One that fails is shrunk, written down and explained.
 *
 *   model_tester SEQUENCES [SEED]     so many sequences, from that seed on
 *   model_tester --replay FILE        one that was written down
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "world.h"

enum { MOST_CALLS = 60, PATIENCE_SECONDS = 120 };

/* True if the calls end well. */
static int passes(const uint64_t *call, int count, FILE *aloud)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (!aloud && (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout))) _exit(2);
        alarm(PATIENCE_SECONDS);
        make_calls(call, count, aloud);
        exit(0); /* not _exit: leaks count */
    }
    int status;
    while (waitpid(child, &status, 0) < 0) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Takes out as many calls as possible, large pieces first, while it still fails. */
static int shrink(uint64_t *call, int count)
{
    uint64_t less[MOST_CALLS];
    for (int piece = count / 2; piece >= 1; piece /= 2)
        for (int first = 0; first + piece <= count;) {
            memcpy(less, call, sizeof *call * (size_t)first);
            memcpy(less + first, call + first + piece, sizeof *call * (size_t)(count - first - piece));
            if (passes(less, count - piece, NULL)) {
                first += piece;
                continue;
            }
            count -= piece;
            memcpy(call, less, sizeof *call * (size_t)count);
        }
    return count;
}

static int explain(uint64_t seed, uint64_t *call, int count)
{
    count = shrink(call, count);
    char name[64];
    snprintf(name, sizeof name, "model-%llu.calls", (unsigned long long)seed);
    FILE *file = fopen(name, "w");
    for (int i = 0; file && i < count; i++) fprintf(file, "%llu\n", (unsigned long long)call[i]);
    if (file) fclose(file);
    printf("sequence %llu fails; %d calls are enough (%s):\n", (unsigned long long)seed, count, name);
    passes(call, count, stdout);
    return 1;
}

static int replay(const char *path)
{
    uint64_t call[MOST_CALLS];
    int count = 0;
    unsigned long long number;
    FILE *file = fopen(path, "r");
    if (!file) return 2;
    while (count < MOST_CALLS && fscanf(file, "%llu", &number) == 1) call[count++] = number;
    fclose(file);
    return !passes(call, count, stdout);
}

int main(int arguments, char **argument)
{
    if (arguments == 3 && strcmp(argument[1], "--replay") == 0) return replay(argument[2]);
    uint64_t sequences = arguments > 1 ? strtoull(argument[1], NULL, 10) : 100;
    uint64_t first = arguments > 2 ? strtoull(argument[2], NULL, 10) : 1;
    for (uint64_t seed = first; seed < first + sequences; seed++) {
        uint64_t state = seed, call[MOST_CALLS];
        int count = 10 + below(&state, MOST_CALLS - 10);
        for (int i = 0; i < count; i++) call[i] = next_random(&state);
        if (!passes(call, count, NULL)) return explain(seed, call, count);
    }
    printf("%llu sequences from seed %llu\n", (unsigned long long)sequences, (unsigned long long)first);
    return 0;
}

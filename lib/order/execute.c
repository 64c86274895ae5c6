#include "order/execute.h"

#include <assert.h>
#include <string.h>

enum { WAITS, MOVES, UNKNOWN, ASKED };

/* The visit that the agent's next step begins. */
static int32_t next_visit(const dl_dependencies *d, const int32_t *progress, int agent)
{
    assert(progress[agent] >= 0 && d->first[agent] + progress[agent] < d->first[agent + 1]);
    return d->first[agent] + progress[agent] + 1;
}

/* What an agent does as far as that does not hang on what another does in this instant, else ASKED. */
static uint8_t alone(const dl_dependencies *d, const int32_t *progress, const uint8_t *delayed, int agent)
{
    int32_t visit = next_visit(d, progress, agent);
    if (visit == d->first[agent + 1] || (delayed && delayed[agent])) return WAITS;
    int32_t other = d->after[visit];
    if (other < 0) return MOVES;
    int32_t other_next = next_visit(d, progress, d->agent[other]);
    return other < other_next ? MOVES : other == other_next ? ASKED : WAITS;
}

int dl_execute(const dl_dependencies *d, const int32_t *progress, const uint8_t *delayed, uint8_t *moves)
{
    int moving = 0;
    memset(moves, UNKNOWN, (size_t)d->agents);
    for (int agent = 0; agent < d->agents; agent++) {
        /* Each agent hangs on at most one other: follow them to one that knows, or around a ring, which can turn. */
        int last = agent;
        while (moves[last] == UNKNOWN && (moves[last] = alone(d, progress, delayed, last)) == ASKED)
            last = d->agent[d->after[next_visit(d, progress, last)]];
        uint8_t answer = moves[last] == ASKED ? MOVES : moves[last];
        for (int i = agent; moves[i] == ASKED; i = d->agent[d->after[next_visit(d, progress, i)]]) moves[i] = answer;
        moving += moves[agent] == MOVES;
    }
    return moving;
}

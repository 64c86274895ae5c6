#include "diffusion/social_graph.h"

#include <assert.h>
#include <math.h>

typedef struct candidate {
    float nearest, total;
    int32_t agent;
} candidate;

int dl_social_neighbors(const dl_config *config, const dl_schedule *schedule, int agents, int k)
{
    if (config->network.attention == DL_ATTENTION_DENSE) return agents - 1;
    double noise = 1 - schedule->kept[k];
    double ratio = config->network.neighbor_ratio_low +
                   (config->network.neighbor_ratio_high - config->network.neighbor_ratio_low) * noise;
    int count = (int)lround(ratio * agents);
    if (count > config->network.neighbors_max) count = config->network.neighbors_max;
    if (count < config->network.neighbors_min) count = config->network.neighbors_min;
    return count < agents - 1 ? count : agents - 1;
}

static bool before(const dl_instance *instance, const candidate *a, const candidate *b)
{
    if (a->nearest != b->nearest) return a->nearest < b->nearest;
    if (a->total != b->total) return a->total < b->total;
    return instance->start[a->agent] < instance->start[b->agent];
}

/* The least and the summed L1 distance of two trajectories, stored as rows and columns apart. */
static candidate compare(const real *restrict row_a, const real *restrict col_a, const real *restrict row_b,
                         const real *restrict col_b, int horizon, int32_t agent)
{
    real nearest = INFINITY, total = 0;
#pragma omp simd reduction(min : nearest) reduction(+ : total)
    for (int t = 0; t < horizon; t++) {
        real apart = fabsf(row_a[t] - row_b[t]) + fabsf(col_a[t] - col_b[t]);
        nearest = apart < nearest ? apart : nearest;
        total += apart;
    }
    return (candidate){nearest, total, agent};
}

/* Keeps the `room` first of all candidates seen, in order. */
static void insert(const dl_instance *instance, candidate *best, int *kept, int room, candidate entry)
{
    if (*kept == room && !before(instance, &entry, &best[room - 1])) return;
    int place = *kept < room ? (*kept)++ : room - 1;
    for (; place > 0 && before(instance, &entry, &best[place - 1]); place--) best[place] = best[place - 1];
    best[place] = entry;
}

static void everybody(int agents, int32_t *neighbor)
{
    for (int agent = 0; agent < agents; agent++) {
        int32_t *row = neighbor + (size_t)agent * (size_t)agents;
        row[0] = agent;
        for (int other = 0, place = 1; other < agents; other++)
            if (other != agent) row[place++] = other;
    }
}

dl_social_graph dl_social_graph_build(const dl_noisy_plan *x, const real *position, const dl_deadline *deadline,
                                      dl_arena *arena)
{
    const dl_instance *instance = x->scene->instance;
    int agents = instance->agents, horizon = x->horizon;
    int room = dl_social_neighbors(x->config, x->schedule, agents, x->k);
    assert(room >= 0 && room < agents);
    int32_t *neighbor = DL_ARENA_ARRAY(arena, int32_t, (size_t)agents * (size_t)(room + 1));
    dl_social_graph graph = {.width = room + 1, .neighbor = neighbor};
    if (!neighbor) return graph;
    if (x->config->network.attention == DL_ATTENTION_DENSE) {
        everybody(agents, neighbor);
        return graph;
    }
    dl_arena_mark mark = dl_arena_position(arena);
    size_t tokens = (size_t)agents * (size_t)horizon;
    real *row = DL_ARENA_ARRAY(arena, real, tokens), *col = DL_ARENA_ARRAY(arena, real, tokens);
    candidate *best = DL_ARENA_ARRAY(arena, candidate, room + 1);
    if (!row || !col || !best) return (dl_social_graph){0};
    for (size_t i = 0; i < tokens; i++) {
        row[i] = position[2 * i];
        col[i] = position[2 * i + 1];
    }
    for (int agent = 0; agent < agents && !dl_is_late(deadline); agent++) {
        size_t own = (size_t)agent * (size_t)horizon;
        int kept = 0;
        for (int other = 0; other < agents && room > 0; other++) {
            if (other == agent) continue;
            size_t theirs = (size_t)other * (size_t)horizon;
            insert(instance, best, &kept, room,
                   compare(row + own, col + own, row + theirs, col + theirs, horizon, other));
        }
        int32_t *list = neighbor + (size_t)agent * (size_t)graph.width;
        list[0] = agent;
        assert(kept == room);
        for (int i = 0; i < kept; i++) list[i + 1] = best[i].agent;
    }
    dl_arena_rewind(arena, mark);
    return graph;
}

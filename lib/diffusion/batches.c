#include "diffusion/batches.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "diffusion/tokens.h"

enum { HELD_OUT_ONE_IN = 20, TOO_FEW_TO_HOLD_OUT = 10 };

/* Examples of one team size. */
typedef struct subset {
    int agents, count, capacity, batches;
    int32_t *example; /* [count], in the order of `epoch` */
} subset;

struct dl_batches {
    const dl_examples *examples;
    int batch;
    uint64_t seed;
    int subsets;
    subset *subset;
    int epoch; /* whose order the subsets are in; -1 at first */
    int total;
    int (*turn)[2]; /* [total]: subset and number of its batch, alternating */
    int held;
    int32_t held_out[DL_HELD_OUT];
};

static bool hold_out(dl_batches *batches, int index)
{
    if (batches->examples->count < TOO_FEW_TO_HOLD_OUT || batches->held == DL_HELD_OUT) return false;
    dl_rng rng = dl_rng_stream(batches->seed, DL_PURPOSE('h', 'e', 'l', 'd'), (uint64_t)index);
    return dl_rng_below(&rng, HELD_OUT_ONE_IN) == 0;
}

/* NULL when memory is out. */
static subset *subset_of(dl_batches *batches, int agents)
{
    for (int i = 0; i < batches->subsets; i++)
        if (batches->subset[i].agents == agents) return &batches->subset[i];
    subset *grown = dl_realloc(batches->subset, (size_t)batches->subsets + 1, sizeof *batches->subset);
    if (!grown) return NULL;
    batches->subset = grown;
    batches->subset[batches->subsets] = (subset){.agents = agents};
    return &batches->subset[batches->subsets++];
}

/* Subsets take turns; those that have given all their batches are passed over. */
static bool alternate(dl_batches *batches)
{
    for (int i = 0; i < batches->subsets; i++) batches->total += batches->subset[i].batches;
    batches->turn = dl_calloc((size_t)batches->total + 1, sizeof *batches->turn);
    if (!batches->turn) return false;
    for (int round = 0, placed = 0; placed < batches->total; round++)
        for (int i = 0; i < batches->subsets; i++) {
            if (round >= batches->subset[i].batches) continue;
            batches->turn[placed][0] = i;
            batches->turn[placed++][1] = round;
        }
    return true;
}

dl_batches *dl_batches_create(const dl_examples *examples, int batch, uint64_t seed)
{
    dl_batches *batches = DL_NEW(dl_batches);
    if (!batches) return NULL;
    batches->examples = examples;
    batches->batch = batch;
    batches->seed = seed;
    batches->epoch = -1;
    bool room = true;
    for (int i = 0; room && i < examples->count; i++) {
        if (hold_out(batches, i)) {
            batches->held_out[batches->held++] = i;
            continue;
        }
        subset *group = subset_of(batches, examples->at[i].agents);
        room = group && DL_GROW(group->example, group->capacity, group->count + 1);
        if (!room) break;
        group->example[group->count++] = i;
        group->batches = (group->count + batch - 1) / batch;
    }
    if (room && alternate(batches)) return batches;
    dl_batches_free(batches);
    return NULL;
}

void dl_batches_free(dl_batches *batches)
{
    if (!batches) return;
    for (int i = 0; i < batches->subsets; i++) free(batches->subset[i].example);
    free(batches->subset);
    free(batches->turn);
    free(batches);
}

int dl_batches_per_epoch(const dl_batches *batches)
{
    return batches->total;
}

static int by_index(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The order of an epoch must not depend on the epochs before it: sort, then shuffle. */
static void shuffle(dl_batches *batches, int epoch)
{
    if (batches->epoch == epoch) return;
    for (int i = 0; i < batches->subsets; i++) {
        subset *group = &batches->subset[i];
        qsort(group->example, (size_t)group->count, sizeof *group->example, by_index);
        dl_rng rng = dl_rng_stream(batches->seed, DL_PURPOSE('o', 'r', 'd', 'r'),
                                   (uint64_t)epoch << 32 | (uint64_t)group->agents);
        dl_rng_shuffle(&rng, group->example, group->count);
    }
    batches->epoch = epoch;
}

void dl_batches_get(dl_batches *batches, int epoch, int place, int32_t *example)
{
    assert(place >= 0 && place < batches->total);
    shuffle(batches, epoch);
    const subset *group = &batches->subset[batches->turn[place][0]];
    int first = batches->turn[place][1] * batches->batch;
    assert(group->count > 0 && first < group->count);
    for (int i = 0; i < batches->batch; i++) example[i] = group->example[(first + i) % group->count];
}

const int32_t *dl_batches_held_out(const dl_batches *batches, int *count)
{
    *count = batches->held;
    return batches->held_out;
}

/* Half of the crops begin at the beginning, as drafts do; the others anywhere that fills the horizon. */
static dl_example_view draw_view(const dl_config *config, const dl_example *example, dl_rng *rng)
{
    dl_example_view view = {0};
    if (config->training.augmentation) view.symmetry = (int)dl_rng_below(rng, 8);
    int last = example->length - config->training.horizon;
    if (last > 0 && dl_rng_below(rng, 2)) view.first = (int)dl_rng_below(rng, (uint32_t)last + 1);
    return view;
}

/* Improving samples see both plans from the beginning: later, agents are elsewhere in the one than in the other. The
 * stream is their own, so that the other samples do not depend on the share. */
static bool draw_improving(const dl_config *config, const dl_example *example, uint64_t number)
{
    if (!example->earlier) return false;
    dl_rng rng = dl_rng_stream((uint64_t)config->training.seed, DL_PURPOSE('e', 'r', 'l', 'y'), number);
    return dl_rng_unit(&rng) < config->training.earlier_share;
}

/* Behind the end of a plan all agents stay on their goals: a little of that is enough to learn it. */
static int sample_horizon(const dl_config *config, int length)
{
    enum { REST = 8, GRAIN = 8 };
    int wanted = (length + REST + GRAIN - 1) / GRAIN * GRAIN;
    return wanted < config->training.horizon ? wanted : config->training.horizon;
}

/* The tokens of the plan as seen. False when memory is out. */
static bool read_tokens(const dl_sample *sample, const dl_example *example, dl_example_view view, uint8_t *tokens)
{
    size_t horizon = (size_t)sample->horizon;
    dl_cell *cells = DL_ARRAY(dl_cell, (size_t)example->agents * (horizon + 1));
    if (!cells) return false;
    dl_example_cells(example, view, sample->instance, sample->horizon, cells);
    for (int agent = 0; agent < example->agents; agent++)
        dl_tokens_encode(sample->instance->grid, cells + (size_t)agent * (horizon + 1), sample->horizon,
                         tokens + (size_t)agent * horizon);
    free(cells);
    return true;
}

dl_sample dl_sample_draw(const dl_config *config, const dl_schedule *schedule, const dl_example *example,
                         uint64_t number)
{
    dl_rng rng = dl_rng_stream((uint64_t)config->training.seed, DL_PURPOSE('d', 'r', 'a', 'w'), number);
    dl_example_view view = draw_view(config, example, &rng);
    dl_example_view before = {.symmetry = view.symmetry, .earlier = draw_improving(config, example, number)};
    if (before.earlier) view.first = 0;
    int longer =
        before.earlier && example->earlier_length > example->length ? example->earlier_length : example->length;
    dl_sample sample = {.instance = dl_example_instance(example, view),
                        .horizon = sample_horizon(config, longer - view.first)};
    sample.scene = sample.instance ? dl_scene_create(sample.instance) : NULL;
    assert(sample.horizon > 0 && sample.horizon <= config->training.horizon);
    size_t tokens = (size_t)example->agents * (size_t)sample.horizon;
    sample.clean = DL_ARRAY(uint8_t, tokens);
    sample.noisy = DL_ARRAY(uint8_t, tokens);
    bool room = sample.scene && sample.clean && sample.noisy && read_tokens(&sample, example, view, sample.clean) &&
                (!before.earlier || read_tokens(&sample, example, before, sample.noisy));
    if (room) {
        sample.k = 1 + (int)dl_rng_below(&rng, (uint32_t)schedule->steps);
        dl_corrupt(schedule, sample.k, before.earlier ? sample.noisy : sample.clean, tokens, &rng, sample.noisy);
        return sample;
    }
    dl_sample_free(&sample);
    return (dl_sample){0};
}

void dl_sample_free(dl_sample *sample)
{
    dl_scene_free(sample->scene);
    dl_instance_free(sample->instance);
    free(sample->clean);
    free(sample->noisy);
}

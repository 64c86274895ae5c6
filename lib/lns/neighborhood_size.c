#include "lns/neighborhood_size.h"

#include "base/ablation.h"

/* Of what is known about a size when a gain is shared, so much is forgotten; and the share of draws that all sizes get
 * alike. */
static const double FORGOTTEN = 0.05, CURIOSITY = 0.15;

void dl_sizes_start(dl_sizes *s, int most)
{
    *s = (dl_sizes){.most = most};
    for (int k = 0; k < DL_SIZE_CLASSES; k++) s->known[k] = (dl_size_record){.gain = 1, .searches = 1};
}

/* The largest size of a class; the first has pairs only. */
static int largest_of(const dl_sizes *s, int class)
{
    int largest = class < 0 ? 1 : class == 0 ? 2 : class == 1 ? (s->most + 1) / 2 : s->most;
    return largest < s->most ? largest : s->most;
}

static int draw_class(const dl_sizes *s, dl_rng *rng)
{
    double value[DL_SIZE_CLASSES], sum = 0;
    for (int k = 0; k < DL_SIZE_CLASSES; k++) {
        double gain = s->known[k].gain / s->known[k].searches;
        sum += value[k] = gain * gain; /* the best should get most */
    }
    double r = dl_rng_unit(rng);
    if (r < CURIOSITY) return (int)(r / CURIOSITY * DL_SIZE_CLASSES);
    r = (r - CURIOSITY) / (1 - CURIOSITY) * sum;
    for (int k = 0; k < DL_SIZE_CLASSES - 1; k++) {
        if (r < value[k]) return k;
        r -= value[k];
    }
    return DL_SIZE_CLASSES - 1;
}

int dl_sizes_draw(dl_sizes *s, dl_rng *rng)
{
    if (s->most <= 2) return s->most;
    if (dl_is_without(DL_TECHNIQUE_learned_sizes)) return 2 + (int)dl_rng_below(rng, (uint32_t)s->most - 1);
    s->drawn = draw_class(s, rng);
    int low = largest_of(s, s->drawn - 1) + 1, high = largest_of(s, s->drawn);
    return high > low ? low + (int)dl_rng_below(rng, (uint32_t)(high - low) + 1) : high;
}

void dl_sizes_reward(dl_sizes *s, bool kept, int64_t gain, uint64_t searches)
{
    dl_size_record *record = &s->known[s->drawn];
    record->changes += kept;
    record->gain += (double)gain;
    record->searches += (double)searches;
}

void dl_sizes_share_gain(dl_sizes *s, int64_t gain)
{
    double changes = 0;
    for (int k = 0; k < DL_SIZE_CLASSES; k++) changes += s->known[k].changes;
    for (int k = 0; k < DL_SIZE_CLASSES; k++) {
        dl_size_record *record = &s->known[k];
        if (changes > 0) record->gain += (double)gain * record->changes / changes;
        record->gain *= 1 - FORGOTTEN;
        record->searches *= 1 - FORGOTTEN;
        record->changes = 0;
    }
}

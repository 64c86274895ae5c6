#include "diffusion/schedule.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

/* Nichol and Dhariwal's offset: keeps the first steps from being too small to matter. */
static const double OFFSET = 0.008;
/* The last steps of the cosine would keep nothing at all; the posterior divides by what is kept. */
static const double LEAST_KEPT_A_STEP = 0.001;

static double cosine(double share)
{
    double c = cos((share + OFFSET) / (1 + OFFSET) * M_PI_2);
    return c * c;
}

dl_schedule *dl_schedule_create(int steps)
{
    assert(steps >= 1);
    dl_schedule *schedule = DL_NEW(dl_schedule);
    double *kept = DL_ARRAY(double, steps + 1);
    if (!schedule || !kept) {
        free(schedule);
        free(kept);
        return NULL;
    }
    *schedule = (dl_schedule){steps, kept};
    schedule->kept[0] = 1;
    for (int k = 1; k <= steps; k++) {
        double a_step = cosine((double)k / steps) / cosine((double)(k - 1) / steps);
        schedule->kept[k] = schedule->kept[k - 1] * fmin(fmax(a_step, LEAST_KEPT_A_STEP), 1);
        assert(schedule->kept[k] > 0 && schedule->kept[k] <= schedule->kept[k - 1]);
    }
    return schedule;
}

void dl_schedule_free(dl_schedule *schedule)
{
    if (!schedule) return;
    free(schedule->kept);
    free(schedule);
}

void dl_corrupt(const dl_schedule *schedule, int k, const uint8_t *clean, size_t count, dl_rng *rng, uint8_t *noisy)
{
    assert(k >= 0 && k <= schedule->steps);
    double kept = schedule->kept[k];
    for (size_t i = 0; i < count; i++) {
        assert(clean[i] < DL_ACTIONS);
        bool keep = dl_rng_unit(rng) < kept;
        noisy[i] = keep ? clean[i] : (uint8_t)dl_rng_below(rng, DL_ACTIONS);
    }
}

double dl_schedule_log_evidence(const dl_schedule *schedule, int k)
{
    double other = (1 - schedule->kept[k]) / DL_ACTIONS;
    return log((schedule->kept[k] + other) / other);
}

double dl_schedule_entropy(const dl_schedule *schedule, int k)
{
    double other = (1 - schedule->kept[k]) / DL_ACTIONS, same = schedule->kept[k] + other;
    double others = other > 0 ? (DL_ACTIONS - 1) * other * log(other) : 0;
    return -(same * log(same) + others) / log(DL_ACTIONS);
}

int dl_schedule_stride(const dl_schedule *schedule, int count, int *visited)
{
    int steps = schedule->steps;
    if (count > steps) count = steps;
    if (count < 1) count = 1;
    for (int i = 0; i <= count; i++) visited[i] = (int)(((int64_t)steps * (count - i) + count / 2) / count);
    for (int i = 0; i < count; i++) assert(visited[i] > visited[i + 1]);
    assert(visited[0] == steps && visited[count] == 0);
    return count;
}

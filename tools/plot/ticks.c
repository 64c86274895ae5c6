#include "plot/ticks.h"

#include <math.h>

double dl_round_step(double rough)
{
    double power = pow(10, floor(log10(rough))), lead = rough / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

void dl_ticks_add(dl_ticks *ticks, double value)
{
    if (ticks->count < (int)(sizeof ticks->at / sizeof ticks->at[0])) ticks->at[ticks->count++] = value;
}

dl_ticks dl_ticks_linear(double low, double high, int wanted)
{
    dl_ticks t = {.count = 0};
    double step = dl_round_step((high - low) / wanted);
    for (int i = (int)ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) dl_ticks_add(&t, i * step);
    return t;
}

dl_ticks dl_ticks_logarithmic(double low, double high)
{
    dl_ticks t = {.count = 0};
    double decades = high - low;
    int stride = decades > 7 ? 2 : 1;
    for (int power = (int)floor(low); power <= (int)ceil(high); power += stride) {
        static const double PART[] = {1, 2, 5};
        for (int i = 0; i < (decades < 1.7 ? 3 : 1); i++) {
            double place = power + log10(PART[i]);
            if (place >= low && place <= high) dl_ticks_add(&t, pow(10, place));
        }
    }
    return t;
}

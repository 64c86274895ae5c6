#include "diffusion/drawn_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diffusion/framed_map.h"
#include "mapf/distance.h"

/* Everything that stays the same along one path. */
typedef struct drawing {
    const dl_likeliest *planner;
    const dl_crowd *crowd; /* may be NULL */
    const float *score;
    int alphabet;
    bool relative;
    double discount[UINT8_MAX + 1]; /* exp of minus the cost of n collisions */
} drawing;

static double *mass_at(const dl_likeliest *planner, int time)
{
    return planner->mass + (size_t)time * (size_t)planner->squares;
}

/* False when memory is out. Frame and obstacles carry no mass. */
static bool reserve(dl_likeliest *planner, int horizon)
{
    if (!planner->factor && !(planner->factor = DL_ARRAY(double, planner->squares))) return false;
    if (horizon + 1 <= planner->mass_capacity) return true;
    free(planner->mass);
    planner->mass_capacity = 0;
    planner->mass = DL_ARRAY(double, (size_t)(horizon + 1) * (size_t)planner->squares);
    if (!planner->mass) return false;
    planner->mass_capacity = horizon + 1;
    return true;
}

/* Sums shrink from step to step; only ratios within a timestep matter, so each is scaled to a largest mass of 1. */
static void scale(double *mass, int first, int last)
{
    double top = 0;
    for (int s = first; s <= last; s++) top = mass[s] > top ? mass[s] : top;
    if (!(top > 0) || !isfinite(top)) return;
    double up = 1 / top;
    for (int s = first; s <= last; s++) mass[s] *= up;
}

/* mass[t] from mass[t + 1], squares first..last: the action weights are the same everywhere and nobody is around. */
static void sum_alone(const double *restrict later, const double *restrict factor, int stride, const double *weight,
                      int first, int last, double *restrict now)
{
    double stay = weight[DL_STAY], up = weight[DL_UP], down = weight[DL_DOWN], left = weight[DL_LEFT],
           right = weight[DL_RIGHT];
    for (int s = first; s <= last; s++)
        now[s] = factor[s] * (stay * later[s] + up * later[s - stride] + down * later[s + stride] +
                              left * later[s - 1] + right * later[s + 1]);
}

/* The weight of an action on a square: its token's, and the price of swapping places. */
static double weight_of(const drawing *d, int time, int square, int action, const double *weight)
{
    const dl_likeliest *planner = d->planner;
    double w = weight[d->relative ? planner->token[action][square] : action];
    return d->crowd ? w * d->discount[dl_crowd_swaps(d->crowd, planner, time, square, action)] : w;
}

/* The same for relative tokens and in a crowd. */
static void sum_among(const drawing *d, int time, const double *later, const double *weight, int first, int last,
                      double *now)
{
    const dl_likeliest *planner = d->planner;
    const uint8_t *there = d->crowd ? d->crowd->there + (size_t)time * (size_t)d->crowd->squares : NULL;
    for (int s = first; s <= last; s++) {
        now[s] = 0;
        if (planner->factor[s] == 0) continue;
        double sum = 0;
        for (int a = 0; a < DL_ACTIONS; a++) {
            double next = later[s + planner->offset[a]];
            if (next > 0) sum += weight_of(d, time, s, a, weight) * next;
        }
        now[s] = planner->factor[s] * sum * (there ? d->discount[there[s]] : 1);
    }
}

static void set_factors(dl_likeliest *planner, double step)
{
    memset(planner->factor, 0, sizeof(double) * (size_t)planner->squares);
    for (dl_cell cell = 0; cell < planner->grid->cells; cell++) planner->factor[planner->square[cell]] = exp(-step);
}

/* Where a path ends: as if every cell of distance left cost `distance`. */
static void set_last(const drawing *d, const dl_field *distance, int horizon, double per_cell)
{
    const dl_likeliest *planner = d->planner;
    double *mass = mass_at(planner, horizon);
    memset(mass, 0, sizeof(double) * (size_t)planner->squares);
    const uint8_t *there = d->crowd ? d->crowd->there + (size_t)horizon * (size_t)d->crowd->squares : NULL;
    for (dl_cell cell = 0; cell < planner->grid->cells; cell++) {
        int square = planner->square[cell];
        int steps = dl_field_at(distance, cell);
        double left = steps == DL_UNREACHABLE ? 0 : steps;
        mass[square] = planner->factor[square] * exp(-per_cell * left) * (there ? d->discount[there[square]] : 1);
    }
}

static void weights_at(const drawing *d, int time, double weight[DL_MAX_TOKENS])
{
    for (int a = 0; a < d->alphabet; a++)
        weight[a] = exp((double)d->score[(size_t)time * (size_t)d->alphabet + (size_t)a]);
}

static int draw_action(const drawing *d, int time, dl_cell cell, double unit)
{
    const dl_likeliest *planner = d->planner;
    const double *next = mass_at(planner, time + 1);
    int square = planner->square[cell];
    double weight[DL_MAX_TOKENS] = {0}, share[DL_ACTIONS], sum = 0;
    weights_at(d, time, weight);
    for (int a = 0; a < DL_ACTIONS; a++)
        sum += share[a] = weight_of(d, time, square, a, weight) * next[square + planner->offset[a]];
    if (!(sum > 0) || !isfinite(sum)) return -1;
    int action = DL_ACTIONS - 1;
    for (double left = unit * sum; action > 0 && (share[action] == 0 || left >= share[action]); action--)
        left -= share[action];
    return share[action] > 0 ? action : -1;
}

bool dl_drawn_path(dl_likeliest *planner, const dl_field *distance, dl_cell start, dl_cell goal, int horizon,
                   const float *score, int alphabet, dl_likeliest_costs costs, const dl_crowd *crowd, dl_rng *rng,
                   dl_cell *cells)
{
    drawing d = {planner, crowd, score, alphabet, alphabet != DL_ACTIONS, {1}};
    if (!reserve(planner, horizon) || (d.relative && !dl_framed_tokens(planner, distance))) return false;
    for (int n = 1; n <= UINT8_MAX; n++) d.discount[n] = exp(-(double)costs.collision * n);
    set_factors(planner, costs.step);
    planner->factor[planner->square[goal]] = 1;
    set_last(&d, distance, horizon, costs.distance);
    for (int t = horizon - 1; t > 0; t--) {
        int first, last;
        double weight[DL_MAX_TOKENS], *now = mass_at(planner, t);
        const double *later = mass_at(planner, t + 1);
        weights_at(&d, t, weight);
        dl_framed_band(planner, start, t, &first, &last);
        if (d.relative || crowd)
            sum_among(&d, t, later, weight, first, last, now);
        else
            sum_alone(later, planner->factor, planner->stride, weight, first, last, now);
        scale(now, first, last);
    }
    cells[0] = start;
    for (int t = 0; t < horizon; t++) {
        int action = draw_action(&d, t, cells[t], dl_rng_unit(rng));
        if (action < 0) /* all mass was lost in rounding: a way home is as good as any */
            cells[t + 1] = dl_field_step(distance, planner->grid, cells[t]);
        else
            cells[t + 1] = action == DL_STAY ? cells[t] : planner->grid->neighbor[cells[t]][action - 1];
    }
    return true;
}

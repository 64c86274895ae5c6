#include "fleet/flow.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Steps a tick below which a flow has no direction yet. */
static const double FAINT = 0.02;

bool dl_flow_create(dl_flow *flow, const dl_grid *grid)
{
    size_t cells = (size_t)grid->cells;
    *flow = (dl_flow){.grid = grid};
    flow->steps = dl_calloc(cells, sizeof *flow->steps);
    flow->waits = dl_calloc(cells, sizeof *flow->waits);
    flow->rate = dl_calloc(cells, sizeof *flow->rate);
    flow->standing = dl_calloc(cells, sizeof *flow->standing);
    return flow->steps && flow->waits && flow->rate && flow->standing;
}

void dl_flow_release(dl_flow *flow)
{
    free(flow->steps);
    free(flow->waits);
    free(flow->rate);
    free(flow->standing);
    *flow = (dl_flow){0};
}

void dl_flow_count(dl_flow *flow, dl_cell from, dl_cell to)
{
    assert(flow->ticks < DL_FLOW_TICKS);
    if (from == to) {
        flow->waits[from]++;
        return;
    }
    for (int d = 0; d < DL_DIRECTIONS; d++)
        if (flow->grid->neighbor[from][d] == to) flow->steps[from][d]++;
}

void dl_flow_tick(dl_flow *flow)
{
    if (++flow->ticks == DL_FLOW_TICKS) dl_flow_smooth(flow, 1);
}

void dl_flow_smooth(dl_flow *flow, double share)
{
    assert(share > 0 && share <= 1);
    if (flow->ticks == 0) return;
    const float fresh = (float)(share / flow->ticks), old = (float)(1 - share);
    for (dl_cell cell = 0; cell < flow->grid->cells; cell++) {
        flow->standing[cell] = old * flow->standing[cell] + fresh * (float)flow->waits[cell];
        for (int d = 0; d < DL_DIRECTIONS; d++)
            flow->rate[cell][d] = old * flow->rate[cell][d] + fresh * (float)flow->steps[cell][d];
    }
    memset(flow->steps, 0, sizeof *flow->steps * (size_t)flow->grid->cells);
    memset(flow->waits, 0, sizeof *flow->waits * (size_t)flow->grid->cells);
    flow->ticks = 0;
}

/* How much more goes the other way than this: 0 where this is the way of most. */
static double against(const dl_flow *flow, dl_cell cell, int d)
{
    double with = (double)flow->rate[cell][d], other = (double)flow->rate[flow->grid->neighbor[cell][d]][d ^ 1];
    return other > with ? (other - with) / (other + with + FAINT) : 0;
}

dl_edge_costs *dl_flow_costs(const dl_flow *flow, const dl_edge_costs *base, const dl_flow_weights *weights)
{
    dl_edge_costs *costs = dl_edge_costs_copy(base, flow->grid);
    for (dl_cell cell = 0; costs && cell < flow->grid->cells; cell++)
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell to = flow->grid->neighbor[cell][d];
            if (to == DL_NO_CELL || costs->extra[cell][d] == DL_COST_NEVER) continue;
            double extra = weights->against * against(flow, cell, d) + weights->crowd * (double)flow->standing[to];
            costs->extra[cell][d] = (uint8_t)fmin(DL_COST_MOST, costs->extra[cell][d] + round(extra));
        }
    return costs;
}

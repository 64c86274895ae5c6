#include "diffusion/task_losses.h"

#include <math.h>
#include <string.h>

#include "diffusion/tokens.h"

typedef struct point {
    double row, col;
} point;

typedef struct soft_plan {
    const dl_loss_problem *problem;
    int agents, horizon;
    const double *probability;
    point *position;    /* [N*T]: soft position after each token */
    point *by_position; /* [N*T]: gradient of the weighted sum */
    bool *legal;        /* [N*T*C] */
} soft_plan;

static size_t at(const soft_plan *plan, int agent, int t)
{
    return (size_t)agent * (size_t)plan->horizon + (size_t)t;
}

static double apart(point a, point b)
{
    return fabs(a.row - b.row) + fabs(a.col - b.col);
}

static double sign(double x)
{
    return (x > 0) - (x < 0);
}

static const point ACTION_MOVE[DL_ACTIONS] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};

/* Which tokens are legal along the rollout of the likeliest tokens. An illegal one still moves the soft trajectory, as
 * in the paper. */
static void trace_legal(soft_plan *plan, int agent)
{
    const dl_instance *instance = plan->problem->scene->instance;
    dl_cell here = instance->start[agent];
    for (int t = 0; t < plan->horizon; t++) {
        size_t first = at(plan, agent, t) * DL_ACTIONS;
        dl_cell next = here;
        double likeliest = -1;
        for (int a = 0; a < DL_ACTIONS; a++) {
            dl_cell target = dl_token_target(instance->grid, here, a);
            plan->legal[first + (size_t)a] = target != DL_NO_CELL;
            if (plan->probability[first + (size_t)a] <= likeliest) continue;
            likeliest = plan->probability[first + (size_t)a];
            next = target == DL_NO_CELL ? here : target;
        }
        here = next;
    }
}

static void sum_positions(soft_plan *plan, int agent)
{
    difflns_cell start =
        dl_grid_position(plan->problem->scene->instance->grid, plan->problem->scene->instance->start[agent]);
    point now = {start.row, start.col};
    for (int t = 0; t < plan->horizon; t++) {
        size_t token = at(plan, agent, t);
        for (int a = 0; a < DL_ACTIONS; a++) {
            double p = plan->probability[token * DL_ACTIONS + (size_t)a];
            now.row += p * ACTION_MOVE[a].row;
            now.col += p * ACTION_MOVE[a].col;
        }
        plan->position[token] = now;
    }
}

/* Later positions depend on all earlier tokens: a cumulative sum, reversed. */
static void back_to_probabilities(const soft_plan *plan, int agent, double *by_probability)
{
    point sum = {0, 0};
    for (int t = plan->horizon - 1; t >= 0; t--) {
        size_t token = at(plan, agent, t);
        sum.row += plan->by_position[token].row;
        sum.col += plan->by_position[token].col;
        for (int a = 0; a < DL_ACTIONS; a++) {
            size_t i = token * DL_ACTIONS + (size_t)a;
            by_probability[i] += sum.row * ACTION_MOVE[a].row + sum.col * ACTION_MOVE[a].col;
        }
    }
}

/* BFS distance at a fractional position: bilinear over the free ones of the four cells around it, their weights made to
 * sum to one. Off the map counts as its edge; amid obstacles there is no distance and no slope. */
static double soft_distance(const dl_grid *grid, const dl_field *distance, point where, double farthest, point *slope)
{
    /* With less than this much weight on free cells, sharing it out would blow the slope up. */
    static const double LEAST_WEIGHT = 0.1;
    *slope = (point){0, 0};
    double row = fmin(fmax(where.row, 0), grid->height - 1), col = fmin(fmax(where.col, 0), grid->width - 1);
    int top = (int)row, left = (int)col;
    double down = row - top, right = col - left, weight = 0, value = 0;
    point by_weight = {0, 0}, by_value = {0, 0};
    for (int corner = 0; corner < 4; corner++) {
        int r = corner >> 1, c = corner & 1;
        dl_cell cell = dl_grid_cell(grid, top + r, left + c);
        if (cell == DL_NO_CELL || dl_field_at(distance, cell) == DL_UNREACHABLE) continue;
        double vertical = r ? down : 1 - down, horizontal = c ? right : 1 - right, steps = dl_field_at(distance, cell);
        point w = {(r ? 1 : -1) * horizontal, (c ? 1 : -1) * vertical};
        weight += vertical * horizontal;
        value += vertical * horizontal * steps;
        by_weight = (point){by_weight.row + w.row, by_weight.col + w.col};
        by_value = (point){by_value.row + w.row * steps, by_value.col + w.col * steps};
    }
    if (weight < LEAST_WEIGHT) return weight > 0 ? value / weight : farthest;
    double mean = value / weight;
    if (row == where.row) slope->row = (by_value.row - mean * by_weight.row) / weight;
    if (col == where.col) slope->col = (by_value.col - mean * by_weight.col) / weight;
    return mean;
}

static double goal_progress(const soft_plan *plan, double weight)
{
    const dl_instance *instance = plan->problem->scene->instance;
    const dl_grid *grid = instance->grid;
    if (plan->horizon < 2) return 0;
    double scale = grid->height > grid->width ? grid->height : grid->width, sum = 0;
    double share = 1.0 / ((double)plan->agents * (plan->horizon - 1));
    for (int agent = 0; agent < plan->agents; agent++) {
        const dl_field *distance = dl_distance_acquire(plan->problem->scene->distance, agent);
        if (!distance) continue;
        point slope, next_slope;
        double now = soft_distance(grid, distance, plan->position[at(plan, agent, 0)], grid->cells, &slope);
        for (int t = 0; t + 1 < plan->horizon; t++, slope = next_slope) {
            double next =
                soft_distance(grid, distance, plan->position[at(plan, agent, t + 1)], grid->cells, &next_slope);
            double wanted = fmax(now - 1, 0), excess = next - wanted;
            if (excess > 0) {
                double factor = weight * share / scale;
                point *by_next = &plan->by_position[at(plan, agent, t + 1)], *by_now = by_next - 1;
                sum += excess / scale;
                by_next->row += factor * next_slope.row;
                by_next->col += factor * next_slope.col;
                by_now->row -= now > 1 ? factor * slope.row : 0;
                by_now->col -= now > 1 ? factor * slope.col : 0;
            }
            now = next;
        }
        dl_distance_release(plan->problem->scene->distance, agent);
    }
    return sum * share;
}

static void push_apart(const soft_plan *plan, size_t i, size_t j, double force)
{
    point a = plan->position[i], b = plan->position[j];
    double row = -force * sign(a.row - b.row), col = -force * sign(a.col - b.col);
    plan->by_position[i].row += row;
    plan->by_position[i].col += col;
    plan->by_position[j].row -= row;
    plan->by_position[j].col -= col;
}

/* Two passes over the pairs: the mean's gradient needs the number of pairs first. Each unordered pair stands for both
 * ordered ones of the paper, which changes neither mean nor gradient. */
static double vertex_conflicts(const soft_plan *plan, double weight)
{
    double radius = plan->problem->vertex_radius, sum = 0;
    int64_t pairs = 0;
    for (int pass = 0; pass < 2 && (pass == 0 || pairs > 0); pass++)
        for (int i = 0; i < plan->agents; i++)
            for (int j = i + 1; j < plan->agents; j++)
                for (int t = 0; t < plan->horizon; t++) {
                    size_t a = at(plan, i, t), b = at(plan, j, t);
                    double d = apart(plan->position[a], plan->position[b]);
                    if (d > radius) continue;
                    if (pass == 0) {
                        pairs++;
                        sum += exp(-d);
                    } else
                        push_apart(plan, a, b, weight * exp(-d) / (double)pairs);
                }
    return pairs > 0 ? sum / (double)pairs : 0;
}

static double edge_conflicts(const soft_plan *plan, double weight)
{
    double radius = plan->problem->edge_radius, sum = 0;
    int64_t pairs = 0;
    for (int pass = 0; pass < 2 && (pass == 0 || pairs > 0); pass++)
        for (int i = 0; i < plan->agents; i++)
            for (int j = i + 1; j < plan->agents; j++)
                for (int t = 0; t + 1 < plan->horizon; t++) {
                    size_t a = at(plan, i, t), b = at(plan, j, t);
                    double forth = apart(plan->position[a], plan->position[b + 1]);
                    if (forth > radius) continue;
                    double back = apart(plan->position[a + 1], plan->position[b]);
                    if (back > radius) continue;
                    double value = exp(-(forth + back) / 2);
                    if (pass == 0) {
                        pairs++;
                        sum += value;
                    } else {
                        push_apart(plan, a, b + 1, weight * value / (2 * (double)pairs));
                        push_apart(plan, a + 1, b, weight * value / (2 * (double)pairs));
                    }
                }
    return pairs > 0 ? sum / (double)pairs : 0;
}

static double invalid_mass(const soft_plan *plan, double weight, double *by_probability)
{
    size_t tokens = (size_t)plan->agents * (size_t)plan->horizon;
    double sum = 0, share = 1.0 / (double)tokens;
    for (size_t i = 0; i < tokens * DL_ACTIONS; i++) {
        if (plan->legal[i]) continue;
        sum += plan->probability[i];
        by_probability[i] += weight * share;
    }
    return sum * share;
}

bool dl_task_losses(const dl_loss_problem *problem, const double weight[DL_LOSS_TERMS], const double *probability,
                    double *by_probability, double term[DL_LOSS_TERMS], dl_arena *arena)
{
    int agents = problem->scene->instance->agents;
    size_t count = (size_t)agents * (size_t)problem->horizon;
    dl_arena_mark mark = dl_arena_position(arena);
    soft_plan plan = {.problem = problem,
                      .agents = agents,
                      .horizon = problem->horizon,
                      .probability = probability,
                      .position = DL_ARENA_ARRAY(arena, point, count),
                      .by_position = dl_arena_calloc(arena, sizeof(point) * count),
                      .legal = DL_ARENA_ARRAY(arena, bool, count *DL_ACTIONS)};
    if (!plan.position || !plan.by_position || !plan.legal) return false;
    for (int agent = 0; agent < agents; agent++) {
        trace_legal(&plan, agent);
        sum_positions(&plan, agent);
    }
    term[DL_LOSS_GOAL] = goal_progress(&plan, weight[DL_LOSS_GOAL]);
    term[DL_LOSS_VERTEX] = vertex_conflicts(&plan, weight[DL_LOSS_VERTEX]);
    term[DL_LOSS_EDGE] = edge_conflicts(&plan, weight[DL_LOSS_EDGE]);
    term[DL_LOSS_VALID] = invalid_mass(&plan, weight[DL_LOSS_VALID], by_probability);
    for (int agent = 0; agent < agents; agent++) back_to_probabilities(&plan, agent, by_probability);
    dl_arena_rewind(arena, mark);
    return !dl_distance_starved(problem->scene->distance);
}

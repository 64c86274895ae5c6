#include "diffusion/losses.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "diffusion/task_losses.h"
#include "diffusion/tokens.h"

/* The paper's share of the task weights at the beginning of the warm-up. */
static const double FIRST_SHARE = 0.2;

const char *dl_loss_name(dl_loss_term term)
{
    static const char *const names[DL_LOSS_TERMS] = {"aux", "kl", "goal", "vertex", "edge", "valid"};
    return names[term];
}

void dl_loss_weights(const dl_config *config, int epoch, double weight[DL_LOSS_TERMS])
{
    int since = epoch - config->losses.generative_epochs;
    double share = 0;
    if (since >= 0) {
        double warm = config->losses.warmup_epochs > 0 ? (double)since / config->losses.warmup_epochs : 1;
        share = FIRST_SHARE + (1 - FIRST_SHARE) * fmin(warm, 1);
    }
    weight[DL_LOSS_AUX] = 1;
    weight[DL_LOSS_KL] = config->losses.kl_weight;
    weight[DL_LOSS_GOAL] = share * config->losses.goal_weight;
    weight[DL_LOSS_VERTEX] = share * config->losses.vertex_weight;
    weight[DL_LOSS_EDGE] = share * config->losses.edge_weight;
    weight[DL_LOSS_VALID] = share * config->losses.valid_weight;
}

/* Probabilities of one token; returns the log of the normalizer. */
static double softmax(const double *logits, double *probability)
{
    double top = logits[0];
    for (int a = 1; a < DL_ACTIONS; a++) top = fmax(top, logits[a]);
    double sum = probability[0] = exp(logits[0] - top);
    for (int a = 1; a < DL_ACTIONS; a++) sum += probability[a] = exp(logits[a] - top);
    for (int a = 0; a < DL_ACTIONS; a++) probability[a] /= sum;
    return top + log(sum);
}

/* Gradient by the logits from that by the probabilities, added. */
static void softmax_backward(const double *probability, const double *by_probability, double *gradient)
{
    double mean = 0;
    for (int a = 0; a < DL_ACTIONS; a++) mean += probability[a] * by_probability[a];
    for (int a = 0; a < DL_ACTIONS; a++) gradient[a] += probability[a] * (by_probability[a] - mean);
}

static int argmax(const double *values)
{
    int best = 0;
    for (int a = 1; a < DL_ACTIONS; a++)
        if (values[a] > values[best]) best = a;
    return best;
}

dl_losses dl_losses_evaluate(const dl_schedule *schedule, const dl_loss_problem *problem,
                             const double weight[DL_LOSS_TERMS], const double *logits, double *gradient,
                             dl_arena *arena)
{
    size_t count = (size_t)problem->scene->instance->agents * (size_t)problem->horizon;
    dl_losses out = {0};
    dl_arena_mark mark = dl_arena_position(arena);
    double *probability = DL_ARENA_ARRAY(arena, double, count *DL_ACTIONS);
    double *by_probability = dl_arena_calloc(arena, sizeof(double) * count * DL_ACTIONS);
    if (!probability || !by_probability) return (dl_losses){.starved = true};
    assert(count > 0 && problem->k >= 1 && problem->k <= schedule->steps);
    double share = 1 / (double)count;
    dl_reverse_step step = dl_reverse_step_between(schedule, problem->k, problem->k - 1);
    for (size_t i = 0; i < count; i++) {
        const double *row = logits + i * DL_ACTIONS;
        double *p = probability + i * DL_ACTIONS, *g = gradient + i * DL_ACTIONS;
        int target = problem->clean[i];
        assert(target < DL_ACTIONS && problem->noisy[i] < DL_ACTIONS);
        out.term[DL_LOSS_AUX] += share * (softmax(row, p) - row[target]);
        out.correct += argmax(row) == target;
        for (int a = 0; a < DL_ACTIONS; a++) g[a] = weight[DL_LOSS_AUX] * share * (p[a] - (a == target));
        out.term[DL_LOSS_KL] +=
            share * dl_posterior_divergence(&step, problem->noisy[i], target, p, weight[DL_LOSS_KL] * share,
                                            by_probability + i * DL_ACTIONS);
    }
    if (weight[DL_LOSS_GOAL] > 0 || weight[DL_LOSS_VERTEX] > 0 || weight[DL_LOSS_EDGE] > 0 || weight[DL_LOSS_VALID] > 0)
        out.starved = !dl_task_losses(problem, weight, probability, by_probability, out.term, arena);
    for (size_t i = 0; i < count; i++)
        softmax_backward(probability + i * DL_ACTIONS, by_probability + i * DL_ACTIONS, gradient + i * DL_ACTIONS);
    for (int term = 0; term < DL_LOSS_TERMS; term++) out.total += weight[term] * out.term[term];
    dl_arena_rewind(arena, mark);
    return out;
}

#include "diffusion/losses.h"

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

double dl_loss_level_weight(const dl_config *config, int k)
{
    double lean = config->losses.level_lean;
    return (1 + lean) * pow((double)k / config->diffusion.diffusion_steps, lean);
}

/* Probabilities of one token; returns the log of the normalizer. */
static double softmax(const double *logits, int tokens, double *probability)
{
    double top = logits[0];
    for (int a = 1; a < tokens; a++) top = fmax(top, logits[a]);
    double sum = probability[0] = exp(logits[0] - top);
    for (int a = 1; a < tokens; a++) sum += probability[a] = exp(logits[a] - top);
    for (int a = 0; a < tokens; a++) probability[a] /= sum;
    return top + log(sum);
}

/* Gradient by the logits from that by the probabilities, added. */
static void softmax_backward(const double *probability, const double *by_probability, int tokens, double *gradient)
{
    double mean = 0;
    for (int a = 0; a < tokens; a++) mean += probability[a] * by_probability[a];
    for (int a = 0; a < tokens; a++) gradient[a] += probability[a] * (by_probability[a] - mean);
}

static int argmax(const double *values, int count)
{
    int best = 0;
    for (int a = 1; a < count; a++)
        if (values[a] > values[best]) best = a;
    return best;
}

static double token_weight(const dl_loss_problem *problem, size_t i)
{
    return problem->clean[i] == DL_WAIT ? problem->wait_weight : 1;
}

dl_losses dl_losses_evaluate(const dl_schedule *schedule, const dl_loss_problem *problem,
                             const double weight[DL_LOSS_TERMS], const double *logits, double *gradient,
                             dl_arena *arena)
{
    int tokens = schedule->tokens;
    size_t count = (size_t)problem->scene->instance->agents * (size_t)problem->horizon;
    dl_losses out = {0};
    dl_arena_mark mark = dl_arena_position(arena);
    double *probability = DL_ARENA_ARRAY(arena, double, count *(size_t)tokens);
    double *by_probability = dl_arena_calloc(arena, sizeof(double) * count * (size_t)tokens);
    if (!probability || !by_probability) return (dl_losses){.starved = true};
    double whole = 0;
    for (size_t i = 0; i < count; i++) whole += token_weight(problem, i);
    dl_reverse_step step = dl_reverse_step_between(schedule, problem->k, problem->k - 1);
    for (size_t i = 0; i < count; i++) {
        const double *row = logits + i * (size_t)tokens;
        double *p = probability + i * (size_t)tokens, *g = gradient + i * (size_t)tokens;
        int target = problem->clean[i];
        double share = token_weight(problem, i) / whole;
        out.term[DL_LOSS_AUX] += share * (softmax(row, tokens, p) - row[target]);
        out.correct += argmax(row, tokens) == target;
        for (int a = 0; a < tokens; a++) g[a] = weight[DL_LOSS_AUX] * share * (p[a] - (a == target));
        out.term[DL_LOSS_KL] +=
            share * dl_posterior_divergence(&step, problem->noisy[i], target, p, weight[DL_LOSS_KL] * share,
                                            by_probability + i * (size_t)tokens);
    }
    if (weight[DL_LOSS_GOAL] > 0 || weight[DL_LOSS_VERTEX] > 0 || weight[DL_LOSS_EDGE] > 0 || weight[DL_LOSS_VALID] > 0)
        out.starved = !dl_task_losses(problem, tokens, weight, probability, by_probability, out.term, arena);
    for (size_t i = 0; i < count; i++)
        softmax_backward(probability + i * (size_t)tokens, by_probability + i * (size_t)tokens, tokens,
                         gradient + i * (size_t)tokens);
    for (int term = 0; term < DL_LOSS_TERMS; term++) out.total += weight[term] * out.term[term];
    dl_arena_rewind(arena, mark);
    return out;
}

#include "diffusion/validation.h"

#include <omp.h>
#include <stdlib.h>

#include "base/memory.h"
#include "search/prioritized.h"
#include "search/repair.h"

/* What the network says by itself, without the help of decoding: its likeliest tokens, rolled out as in the paper. */
static dl_plan *likeliest_tokens(const dl_model *model, const dl_scene *scene, const dl_draft *draft,
                                 dl_draft_reach *reach)
{
    int classes = model->schedule->tokens;
    size_t tokens = (size_t)scene->instance->agents * (size_t)draft->horizon;
    uint8_t *token = DL_ARRAY(uint8_t, tokens);
    for (size_t i = 0; i < tokens; i++)
        for (int a = 1; a < classes; a++) {
            const float *row = draft->log_probability + i * (size_t)classes;
            if (row[a] > row[token[i]]) token[i] = (uint8_t)a;
        }
    dl_plan *plan = dl_draft_roll_out(scene, model->config.diffusion.tokens, draft->horizon, token, reach);
    free(token);
    return plan;
}

static int64_t expert_cost(const dl_example *example, const dl_instance *instance)
{
    dl_cell *cells = DL_ARRAY(dl_cell, (size_t)example->agents * (size_t)(example->length + 1));
    dl_example_cells(example, (dl_example_view){0, 0}, instance, example->length, cells);
    int64_t cost = 0;
    for (int agent = 0; agent < example->agents; agent++) {
        const dl_cell *path = cells + (size_t)agent * (size_t)(example->length + 1);
        int arrival = example->length;
        while (arrival > 0 && path[arrival - 1] == path[arrival]) arrival--;
        cost += arrival;
    }
    free(cells);
    return cost;
}

/* Enough to tell good starts from bad ones; at the paper's 32 to 96 agents most repairs end sooner. */
enum { REPAIR_ITERATIONS = 1000 };

/* Repair from `plan`, or from prioritized planning when there is none. Weighted by agents. */
static dl_start_quality try_start(const dl_scene *scene, const dl_plan *plan)
{
    const dl_instance *instance = scene->instance;
    dl_deadline never = dl_no_deadline();
    dl_planner *planner = dl_planner_create(instance, scene->distance, DL_ENGINE_AUTO);
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('v', 'a', 'l', 'i'), 0);
    if (plan)
        for (int agent = 0; agent < instance->agents; agent++) dl_planner_read_path(planner, agent, &plan->path[agent]);
    else
        dl_prioritized(planner, &rng, DL_LATE_DEPARTURE, &never);
    dl_repair repair;
    DL_OR_ABORT(dl_repair_begin(&repair, planner, &DL_REPAIR_DEFAULTS));
    dl_repair_start(&repair, 1, 0, &never);
    dl_plan *start = dl_planner_write_plan(planner);
    dl_collisions collisions;
    DL_OR_ABORT(dl_plan_collisions(instance, start, &collisions));
    bool solved = dl_repair_run(&repair, REPAIR_ITERATIONS, &never);
    double weight = instance->agents;
    dl_start_quality out = {.conflicts = (double)(collisions.vertex + collisions.swap),
                            .pairs = (double)collisions.pairs,
                            .cost = (double)dl_plan_soc(start),
                            .solved = solved ? weight : 0,
                            .iterations = weight * (double)repair.iterations};
    dl_plan_free(start);
    dl_repair_end(&repair);
    dl_planner_free(planner);
    return out;
}

/* Sums over the agents of one example. */
static dl_validation validate_one(const dl_model *model, const dl_example *example, int number)
{
    dl_instance *instance = dl_example_instance(example, (dl_example_view){0, 0});
    dl_scene *scene = dl_scene_create(instance);
    dl_sample_options options = dl_sample_defaults(model);
    options.first = (uint64_t)number;
    options.threads = 1;
    options.decoding = DL_DECODE_MAP;
    dl_deadline never = dl_no_deadline();
    dl_draft draft;
    dl_sample_drafts(model, scene, &options, &never, NULL, NULL, &draft, NULL); /* without a deadline it can't fail */
    dl_draft_reach raw;
    dl_plan *likeliest = likeliest_tokens(model, scene, &draft, &raw);
    dl_collisions collisions;
    DL_OR_ABORT(dl_plan_collisions(instance, likeliest, &collisions));
    dl_plan *paths = dl_draft_shortest_paths(scene);
    dl_validation out = {.examples = 1,
                         .agents = instance->agents,
                         .at_goal = draft.reach.at_goal,
                         .remaining = (double)draft.reach.remaining,
                         .argmax_at_goal = raw.at_goal,
                         .argmax_remaining = (double)raw.remaining,
                         .argmax_conflicts = (double)(collisions.vertex + collisions.swap),
                         .argmax_pairs = (double)collisions.pairs,
                         .drafts = try_start(scene, draft.plan),
                         .prioritized = try_start(scene, NULL),
                         .shortest_paths = try_start(scene, paths),
                         .expert_cost = (double)expert_cost(example, instance)};
    dl_plan_free(paths);
    dl_plan_free(likeliest);
    dl_draft_free(&draft);
    dl_scene_free(scene);
    dl_instance_free(instance);
    return out;
}

dl_validation dl_validate(const dl_model *model, const dl_examples *examples, const int32_t *example, int count,
                          int threads, dl_ranks ranks, const dl_deadline *deadline)
{
    enum { FIELDS = sizeof(dl_validation) / sizeof(double) };
    dl_validation *each = DL_ARRAY(dl_validation, count), sum = {0};
    double *total = (double *)&sum;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads > 0 ? threads : omp_get_max_threads())
    for (int i = ranks.rank; i < count; i += ranks.size)
        if (!dl_deadline_passed(deadline)) each[i] = validate_one(model, &examples->at[example[i]], i);
    for (int i = 0; i < count; i++)
        for (int f = 0; f < FIELDS; f++) total[f] += ((const double *)&each[i])[f];
    free(each);
    dl_ranks_sum_doubles(ranks, total, FIELDS);
    double done = sum.examples, agents = sum.agents;
    for (int f = 0; f < FIELDS && agents > 0; f++) total[f] /= agents;
    sum.examples = done;
    sum.agents = agents;
    return sum;
}

static json_t *start_json(const dl_start_quality *start)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "conflicts_per_agent", dl_json_rounded(start->conflicts, 4),
                     "pairs_per_agent", dl_json_rounded(start->pairs, 4), "cost_per_agent",
                     dl_json_rounded(start->cost, 4), "repaired", dl_json_rounded(start->solved, 4),
                     "repair_iterations", dl_json_rounded(start->iterations, 1));
}

json_t *dl_validation_json(const dl_validation *v)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "agents", (json_int_t)v->agents,
                     "at_goal", dl_json_rounded(v->at_goal, 4), "remaining_distance", dl_json_rounded(v->remaining, 4),
                     "argmax_at_goal", dl_json_rounded(v->argmax_at_goal, 4), "argmax_remaining_distance",
                     dl_json_rounded(v->argmax_remaining, 4), "argmax_conflicts_per_agent",
                     dl_json_rounded(v->argmax_conflicts, 4), "argmax_pairs_per_agent",
                     dl_json_rounded(v->argmax_pairs, 4), "expert_cost_per_agent", dl_json_rounded(v->expert_cost, 4),
                     "drafts", start_json(&v->drafts), "prioritized", start_json(&v->prioritized), "shortest_paths",
                     start_json(&v->shortest_paths));
}

#include "diffusion/validation.h"

#include <omp.h>
#include <stdlib.h>

#include "base/memory.h"
#include "lns/improve.h"
#include "lns/prioritized.h"
#include "lns/repair.h"

/* What the network says by itself, without the help of decoding: its likeliest tokens, rolled out as in the paper. NULL
 * when memory is out. */
static dl_plan *likeliest_tokens(const dl_scene *scene, const dl_draft *draft, dl_draft_reach *reach)
{
    size_t tokens = (size_t)scene->instance->agents * (size_t)draft->horizon;
    uint8_t *token = DL_ARRAY(uint8_t, tokens);
    if (!token) return NULL;
    for (size_t i = 0; i < tokens; i++)
        for (int a = 1; a < DL_ACTIONS; a++) {
            const float *row = draft->log_probability + i * DL_ACTIONS;
            if (row[a] > row[token[i]]) token[i] = (uint8_t)a;
        }
    dl_plan *plan = dl_draft_roll_out(scene, draft->horizon, token, reach);
    free(token);
    return plan;
}

/* False when memory is out. */
static bool find_expert_cost(const dl_example *example, const dl_instance *instance, double *out)
{
    dl_cell *cells = DL_ARRAY(dl_cell, (size_t)example->agents * (size_t)(example->length + 1));
    if (!cells) return false;
    dl_example_cells(example, (dl_example_view){0}, instance, example->length, cells);
    *out = 0;
    for (int agent = 0; agent < example->agents; agent++) {
        const dl_cell *path = cells + (size_t)agent * (size_t)(example->length + 1);
        int arrival = example->length;
        while (arrival > 0 && path[arrival - 1] == path[arrival]) arrival--;
        *out += arrival;
    }
    free(cells);
    return true;
}

/* Enough to tell good starts from bad ones; at the paper's 32 to 96 agents most repairs end sooner. */
enum { REPAIR_ITERATIONS = 1000, IMPROVE_ITERATIONS = 4000 };

/* The cost that improvement leads to from what the planner holds, which must not collide. False when memory is out. */
static bool improve(dl_planner *planner, double *cost)
{
    dl_deadline never = dl_no_deadline();
    dl_improve improve;
    bool begun = dl_improve_begin(&improve, planner, &DL_IMPROVE_DEFAULTS);
    if (begun) {
        dl_improve_start(&improve, 1, 0);
        dl_improve_run(&improve, IMPROVE_ITERATIONS, &never);
    }
    dl_improve_end(&improve);
    dl_plan *plan = begun ? dl_planner_write_plan(planner) : NULL;
    if (plan) *cost = (double)dl_plan_soc(plan);
    dl_plan_free(plan);
    return plan;
}

/* Repairs what the planner holds, and improves it. Weighted by agents. False when memory is out. */
static bool repair_start(dl_planner *planner, double expert_cost, dl_start_quality *out)
{
    const dl_instance *instance = planner->instance;
    dl_deadline never = dl_no_deadline();
    dl_repair repair;
    bool begun = dl_repair_begin(&repair, planner, &DL_REPAIR_DEFAULTS) && dl_repair_start(&repair, 1, 0, &never);
    dl_plan *start = begun ? dl_planner_write_plan(planner) : NULL;
    dl_collisions collisions;
    bool known = start && dl_plan_collisions(instance, start, &collisions);
    if (known) {
        bool solved = dl_repair_run(&repair, REPAIR_ITERATIONS, &never);
        double weight = instance->agents, improved = 0;
        if (solved) known = improve(planner, &improved);
        *out = (dl_start_quality){.conflicts = (double)(collisions.vertex + collisions.swap),
                                  .pairs = (double)collisions.pairs,
                                  .cost = (double)dl_plan_soc(start),
                                  .solved = solved ? weight : 0,
                                  .iterations = weight * (double)repair.iterations,
                                  .improved = weight * improved / expert_cost};
    }
    dl_plan_free(start);
    dl_repair_end(&repair);
    return known && !planner->exhausted;
}

/* Repair from `plan`, or from prioritized planning when there is none. False when memory is out. */
static bool try_start(const dl_scene *scene, const dl_plan *plan, double expert_cost, dl_start_quality *out)
{
    dl_planner *planner = dl_planner_create(scene->instance, scene->distance, DL_ENGINE_AUTO);
    if (!planner) return false;
    dl_rng rng = dl_rng_stream(1, DL_PURPOSE('v', 'a', 'l', 'i'), 0);
    dl_deadline never = dl_no_deadline();
    if (plan)
        for (int agent = 0; agent < plan->agents; agent++) dl_planner_read_path(planner, agent, &plan->path[agent]);
    else
        dl_prioritized(planner, &rng, DL_PRIORITY_RANDOM, DL_LATE_DEPARTURE, &never);
    bool done = repair_start(planner, expert_cost, out);
    dl_planner_free(planner);
    return done;
}

/* Everything there is to say about one draft; the expert's cost is known. False when memory is out. */
static bool judge(const dl_scene *scene, const dl_draft *draft, dl_validation *out)
{
    dl_draft_reach raw;
    dl_collisions collisions;
    dl_plan *likeliest = likeliest_tokens(scene, draft, &raw);
    dl_plan *paths = dl_draft_shortest_paths(scene);
    bool known = likeliest && paths && dl_plan_collisions(scene->instance, likeliest, &collisions) &&
                 try_start(scene, draft->plan, out->expert_cost, &out->drafts) &&
                 try_start(scene, NULL, out->expert_cost, &out->prioritized) &&
                 try_start(scene, paths, out->expert_cost, &out->shortest_paths);
    dl_plan_free(paths);
    dl_plan_free(likeliest);
    if (!known) return false;
    out->examples = 1;
    out->agents = scene->instance->agents;
    out->at_goal = draft->reach.at_goal;
    out->remaining = (double)draft->reach.remaining;
    out->argmax_at_goal = raw.at_goal;
    out->argmax_remaining = (double)raw.remaining;
    out->argmax_conflicts = (double)(collisions.vertex + collisions.swap);
    out->argmax_pairs = (double)collisions.pairs;
    return true;
}

/* Sums over the agents of one example. */
static dl_status validate_one(const dl_model *model, const dl_example *example, int number, dl_validation *out,
                              dl_error *err)
{
    dl_instance *instance = dl_example_instance(example, (dl_example_view){0});
    dl_scene *scene = instance ? dl_scene_create(instance) : NULL;
    dl_sample_options options = dl_sample_defaults(model);
    options.first = (uint64_t)number;
    options.threads = 1;
    options.decoding = DL_DECODE_MAP;
    options.steps = model->config.training.validation_steps;
    dl_deadline never = dl_no_deadline();
    dl_draft draft = {0};
    dl_status status =
        scene ? dl_sample_drafts(model, scene, &options, &never, NULL, NULL, &draft, err) : dl_out_of_memory(err);
    if (status == DIFFLNS_OK && !(find_expert_cost(example, instance, &out->expert_cost) && judge(scene, &draft, out)))
        status = dl_out_of_memory(err);
    dl_draft_free(&draft);
    dl_scene_free(scene);
    dl_instance_free(instance);
    return status;
}

/* Means per agent over all ranks. */
static dl_validation mean_of(const dl_validation *each, int count, dl_ranks ranks)
{
    enum { FIELDS = sizeof(dl_validation) / sizeof(double) };
    dl_validation sum = {0};
    double *total = (double *)&sum;
    for (int i = 0; each && i < count; i++)
        for (int f = 0; f < FIELDS; f++) total[f] += ((const double *)&each[i])[f];
    dl_ranks_sum_doubles(ranks, total, FIELDS);
    double done = sum.examples, agents = sum.agents;
    for (int f = 0; f < FIELDS && agents > 0; f++) total[f] /= agents;
    sum.examples = done;
    sum.agents = agents;
    return sum;
}

dl_status dl_validate(const dl_model *model, const dl_held_out *held, int threads, dl_ranks ranks,
                      const dl_deadline *deadline, dl_validation *out, dl_error *err)
{
    dl_validation *each = DL_ARRAY(dl_validation, held->count);
    dl_status status = each ? DIFFLNS_OK : dl_out_of_memory(err);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads > 0 ? threads : omp_get_max_threads())
    for (int i = ranks.rank; i < held->count; i += ranks.size) {
        dl_error trouble;
        if (!each || dl_deadline_passed(deadline)) continue;
        dl_status one = validate_one(model, &held->examples->at[held->example[i]], i, &each[i], &trouble);
        if (one == DIFFLNS_OK) continue;
#pragma omp critical(validate)
        status = dl_fail(err, one, "%s", trouble.message);
    }
    *out = mean_of(each, held->count, ranks);
    free(each);
    double troubled = status != DIFFLNS_OK;
    dl_ranks_sum_doubles(ranks, &troubled, 1);
    if (troubled > 0 && status == DIFFLNS_OK)
        status = dl_fail(err, DIFFLNS_INTERNAL, "validation: another rank could not finish it");
    return status;
}

static json_t *start_json(const dl_start_quality *start)
{
    json_t *improved = start->solved > 0 ? dl_json_rounded(start->improved / start->solved, 4) : json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "conflicts_per_agent", dl_json_rounded(start->conflicts, 4),
                     "pairs_per_agent", dl_json_rounded(start->pairs, 4), "cost_per_agent",
                     dl_json_rounded(start->cost, 4), "repaired", dl_json_rounded(start->solved, 4),
                     "repair_iterations", dl_json_rounded(start->iterations, 1), "improved_over_expert", improved);
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

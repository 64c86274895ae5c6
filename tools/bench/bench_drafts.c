#include "bench/bench_drafts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/output.h"
#include "bench/cases.h"
#include "bench/experiment.h"
#include "bench/statistics.h"
#include "diffusion/sampler.h"
#include "lns/repair.h"
#include "mapf/check.h"
#include "memory/need.h"
#include "start/start.h"

/* ---- the rules ---- */

typedef struct rule {
    const char *name, *about;
    dl_sampler sampler;
    dl_path_choice choice;
    dl_decoding last;
    int sweeps, steps; /* 0: the model's */
} rule;

static const rule RULE[] = {
    {"likeliest", "whole paths, the likeliest: what solve draws", DL_SAMPLER_PATHS, DL_PATH_LIKELIEST, DL_DECODE_MAP, 0,
     0},
    {"one-sweep", "... decoded in one sweep: only later agents make way", DL_SAMPLER_PATHS, DL_PATH_LIKELIEST,
     DL_DECODE_MAP, 1, 0},
    {"five-sweeps", "... in five", DL_SAMPLER_PATHS, DL_PATH_LIKELIEST, DL_DECODE_MAP, 5, 0},
    {"one-step", "... in one step from noise", DL_SAMPLER_PATHS, DL_PATH_LIKELIEST, DL_DECODE_MAP, 0, 1},
    {"three-steps", "... in three", DL_SAMPLER_PATHS, DL_PATH_LIKELIEST, DL_DECODE_MAP, 0, 3},
    {"twelve-steps", "... in twelve", DL_SAMPLER_PATHS, DL_PATH_LIKELIEST, DL_DECODE_MAP, 0, 12},
    {"gumbel", "the likeliest after Gumbel noise, at the last step without", DL_SAMPLER_PATHS, DL_PATH_GUMBEL,
     DL_DECODE_MAP, 0, 0},
    {"drawn", "exact draws, at the last step the likeliest", DL_SAMPLER_PATHS, DL_PATH_DRAWN, DL_DECODE_MAP, 0, 0},
    {"drawn-last", "... at the last step, too", DL_SAMPLER_PATHS, DL_PATH_DRAWN, DL_DECODE_SAMPLE, 0, 0},
    {"tokens", "each token for itself, as in the paper, at the last step the likeliest paths", DL_SAMPLER_TOKENS,
     DL_PATH_LIKELIEST, DL_DECODE_MAP, 0, 0},
    {"tokens-last", "... at the last step, too", DL_SAMPLER_TOKENS, DL_PATH_LIKELIEST, DL_DECODE_SAMPLE, 0, 0},
};
enum { RULES = sizeof RULE / sizeof RULE[0] };

typedef struct rule_list {
    const rule *member[RULES];
    int count;
} rule_list;

static const rule *find_rule(const char *name)
{
    for (int i = 0; i < RULES; i++)
        if (strcmp(RULE[i].name, name) == 0) return &RULE[i];
    return NULL;
}

static dl_status read_rules(const char *names, rule_list *list, dl_error *err)
{
    list->count = 0;
    for (int i = 0; !names && i < RULES; i++) list->member[list->count++] = &RULE[i];
    if (!names) return DIFFLNS_OK;
    char *copy = needed(dl_strdup(names)), *rest = copy;
    dl_status status = DIFFLNS_OK;
    for (char *word; status == DIFFLNS_OK && (word = strsep(&rest, ","));) {
        const rule *found = find_rule(word);
        if (!found || list->count == RULES)
            status =
                dl_fail(err, DIFFLNS_BAD_INPUT, "methods: \"%s\": expected a rule of sampling, e.g. likeliest", word);
        else
            list->member[list->count++] = found;
    }
    free(copy);
    return status;
}

static dl_sample_options options_of(const rule *r, const dl_model *model, uint64_t seed)
{
    dl_sample_options options = dl_sample_defaults(model);
    options.sampler = r->sampler;
    options.choice = r->choice;
    options.decoding = r->last;
    if (r->sweeps > 0) options.sweeps = r->sweeps;
    options.steps = r->steps;
    options.seed = seed;
    options.threads = 1;
    return options;
}

/* ---- drafts of one instance ---- */

enum { DRAFTS = 4 }; /* as many as Algorithm 1 draws in a round */

/* Means over the drafts of an instance; NaN where none was repaired. */
typedef enum figure {
    COST,      /* over the sum of distances, as the other costs */
    PAIRS,     /* that collide, an agent */
    DIFFERENT, /* share of the timesteps at which an agent is elsewhere in one draft than in another */
    SECONDS,   /* of the processor, to draw one */
    REPAIRED,  /* cost once repaired */
    BEST,      /* the least of these instead of their mean */
    FIGURES
} figure;

typedef struct outcome {
    const dl_setting *setting;
    const rule *rule;
    uint64_t seed;
    int repaired; /* of the drafts */
    double figure[FIGURES];
} outcome;

static double share_that_differs(const dl_plan *a, const dl_plan *b)
{
    int last = dl_plan_makespan(a) > dl_plan_makespan(b) ? dl_plan_makespan(a) : dl_plan_makespan(b), differ = 0;
    for (int agent = 0; agent < a->agents; agent++)
        for (int t = 1; t <= last; t++) {
            difflns_cell x = dl_path_at(&a->path[agent], t), y = dl_path_at(&b->path[agent], t);
            differ += x.row != y.row || x.col != y.col;
        }
    return last > 0 ? (double)differ / ((double)last * a->agents) : 0;
}

/* The cost of what repair makes of a draft; NaN if it needs more iterations. */
static double repair_draft(const dl_bench_drafts *bench, dl_planner *planner, const dl_plan *draft, uint64_t seed,
                           int number)
{
    dl_repair repair;
    dl_deadline never = dl_no_deadline();
    dl_planner_clear(planner);
    dl_start_read_plan(planner, draft);
    need(dl_repair_begin(&repair, planner, &DL_REPAIR_DEFAULTS));
    need(dl_repair_start(&repair, seed, (uint64_t)number, &never));
    bool repaired = dl_repair_run(&repair, bench->iterations, &never);
    dl_repair_end(&repair);
    if (!repaired) return NAN;
    dl_plan *plan = needed(dl_planner_write_plan(planner));
    double cost = dl_check_valid(planner->instance, plan) ? (double)dl_plan_soc(plan) : NAN;
    dl_plan_free(plan);
    return cost;
}

static dl_status measure(const dl_bench_drafts *bench, const dl_model *model, const dl_scene *scene,
                         dl_planner *planner, outcome *o, dl_error *err)
{
    dl_sample_options options = options_of(o->rule, model, o->seed);
    dl_deadline never = dl_no_deadline();
    dl_draft draft[DRAFTS];
    double began = dl_process_now(), bound = (double)dl_distance_lower_bound(scene->distance), *f = o->figure;
    options.candidates = DRAFTS;
    DL_TRY(dl_sample_drafts(model, scene, &options, &never, NULL, NULL, draft, err));
    f[SECONDS] = (dl_process_now() - began) / DRAFTS;
    f[BEST] = NAN;
    for (int i = 0; i < DRAFTS; i++) {
        dl_collisions collisions;
        need(dl_plan_collisions(scene->instance, draft[i].plan, &collisions));
        f[COST] += (double)dl_plan_soc(draft[i].plan) / bound / DRAFTS;
        f[PAIRS] += (double)collisions.pairs / scene->instance->agents / DRAFTS;
        for (int k = 0; k < i; k++)
            f[DIFFERENT] += share_that_differs(draft[i].plan, draft[k].plan) * 2 / (DRAFTS * (DRAFTS - 1));
        double cost = repair_draft(bench, planner, draft[i].plan, o->seed, i) / bound;
        if (isnan(cost)) continue;
        o->repaired++;
        f[REPAIRED] += cost;
        f[BEST] = fmin(f[BEST], cost); /* of a number and NaN, the number */
    }
    f[REPAIRED] = o->repaired > 0 ? f[REPAIRED] / o->repaired : NAN;
    for (int i = 0; i < DRAFTS; i++) dl_draft_free(&draft[i]);
    return DIFFLNS_OK;
}

typedef struct outcome_list {
    outcome *row;
    int count, room;
} outcome_list;

/* All rules on one instance. */
static dl_status compare(const dl_bench_drafts *bench, const dl_model *model, const rule_list *rules,
                         const dl_setting *setting, uint64_t seed, outcome_list *list, dl_error *err)
{
    dl_generator_scratch scratch = {0};
    dl_instance *instance;
    dl_status status = dl_case_generate(setting, seed, &scratch, &instance, err);
    dl_generator_scratch_free(&scratch);
    if (status != DIFFLNS_OK) return status;
    dl_distance *distance = needed(dl_distance_create(instance));
    dl_scene *scene = needed(dl_scene_create_with(instance, distance));
    dl_planner *planner = needed(dl_planner_create(instance, distance, DL_ENGINE_AUTO));
    dl_distance_fill(distance, 1, NULL); /* nobody's drafts pay for it */
    for (int i = 0; status == DIFFLNS_OK && i < rules->count; i++) {
        outcome result = {.setting = setting, .rule = rules->member[i], .seed = seed};
        status = measure(bench, model, scene, planner, &result, err);
        need(DL_GROW(list->row, list->room, list->count + 1));
        list->row[list->count++] = result;
    }
    dl_planner_free(planner);
    dl_scene_free(scene);
    dl_distance_free(distance);
    dl_instance_free(instance);
    return status;
}

/* ---- the results ---- */

/* The mean of a figure over all instances, for the rule `which`. */
static double mean_of(const outcome_list *list, int rules, int which, figure what)
{
    double sum = 0;
    int count = 0;
    for (int i = which; i < list->count; i += rules, count++) sum += list->row[i].figure[what];
    return count ? sum / count : NAN;
}

/* A cost relative to the first rule's on the same instance: the geometric mean over those where both have one. */
static dl_estimate ratio_of(const outcome_list *list, int rules, int which, figure what)
{
    double *logs = needed(DL_ARRAY(double, list->count));
    int count = 0;
    for (int i = which; i < list->count; i += rules) {
        double own = list->row[i].figure[what], first = list->row[i - which].figure[what];
        if (!isnan(own) && !isnan(first)) logs[count++] = log(own / first);
    }
    dl_estimate e = dl_mean(logs, count);
    free(logs);
    return (dl_estimate){exp(e.value), exp(e.low), exp(e.high), e.count};
}

static void print_table(FILE *table, const outcome_list *list, const rule_list *rules)
{
    int count = rules->count;
    fprintf(table, "%-13s %6s %6s %9s %8s %9s  %-22s %s\n", "rule", "cost", "pairs", "different", "CPU s", "repaired",
            "repaired cost", "best of four");
    for (int k = 0; k < count; k++) {
        dl_estimate mean = ratio_of(list, count, k, REPAIRED), best = ratio_of(list, count, k, BEST);
        int repaired = 0, drafts = 0;
        for (int i = k; i < list->count; i += count) repaired += list->row[i].repaired, drafts += DRAFTS;
        fprintf(table, "%-13s %6.2f %6.2f %9.2f %8.3f %4d/%-4d  %.3f (%.3f to %.3f) %.3f (%.3f to %.3f)\n",
                rules->member[k]->name, mean_of(list, count, k, COST), mean_of(list, count, k, PAIRS),
                mean_of(list, count, k, DIFFERENT), mean_of(list, count, k, SECONDS), repaired, drafts, mean.value,
                mean.low, mean.high, best.value, best.low, best.high);
    }
    fputs(
        "cost of a draft over the sum of distances; colliding pairs an agent; share of the timesteps at which an agent "
        "is\nelsewhere in another draft; repaired costs relative to the first rule's (geometric mean, 95 % interval)\n",
        table);
}

static dl_status write_csv(const char *folder, const outcome_list *list, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, "results.csv", err));
    fputs(
        "family,agents,seed,rule,cost,pairs_per_agent,different,cpu_seconds,drafts,repaired,repaired_cost,best_cost\n",
        out.stream);
    for (int i = 0; i < list->count; i++) {
        const outcome *o = &list->row[i];
        const double *f = o->figure;
        fprintf(out.stream, "%s,%d,%llu,%s,%.4f,%.4f,%.4f,%.4f,%d,%d,", o->setting->family, o->setting->agents,
                (unsigned long long)o->seed, o->rule->name, f[COST], f[PAIRS], f[DIFFERENT], f[SECONDS], DRAFTS,
                o->repaired);
        if (o->repaired > 0)
            fprintf(out.stream, "%.4f,%.4f\n", f[REPAIRED], f[BEST]);
        else
            fputs(",\n", out.stream);
    }
    return dl_output_commit(&out, err);
}

static dl_status run(const dl_bench_drafts *bench, const dl_model *model, const rule_list *rules,
                     const dl_setting_list *settings, FILE *table, const dl_progress *progress, dl_error *err)
{
    outcome_list list = {0};
    dl_status status = DIFFLNS_OK;
    int total = settings->count * bench->cases;
    for (int i = 0; i < total && status == DIFFLNS_OK; i++) {
        const dl_setting *setting = &settings->setting[i / bench->cases];
        status = compare(bench, model, rules, setting, bench->seed + (uint64_t)(i % bench->cases), &list, err);
        dl_progress_report(progress, (uint64_t)i + 1, (uint64_t)total, setting->family);
    }
    if (status == DIFFLNS_OK) print_table(table, &list, rules);
    if (status == DIFFLNS_OK && bench->out) status = write_csv(bench->out, &list, err);
    free(list.row);
    return status;
}

dl_status dl_bench_drafts_run(const dl_bench_drafts *bench, FILE *table, const dl_progress *progress, dl_error *err)
{
    static const dl_experiment SETTINGS = {.name = "drafts", .pool = DL_POOL_DENSEST};
    rule_list rules;
    dl_setting_list settings;
    dl_model *model;
    DL_TRY(read_rules(bench->rules, &rules, err));
    DL_TRY(dl_settings_read(&SETTINGS, bench->settings, &settings, err));
    dl_status status = difflns_model_load(bench->model, &model, err);
    if (status == DIFFLNS_OK) {
        status = run(bench, model, &rules, &settings, table, progress, err);
        difflns_model_free(model);
    }
    free(settings.setting);
    return status;
}

#include "bench/bench_improve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/output.h"
#include "bench/experiment.h"
#include "bench/first_plan.h"
#include "generate/generate.h"
#include "lns/race.h"
#include "mapf/check.h"
#include "memory/need.h"

/* ---- the designs ---- */

typedef struct design {
    const char *name, *about;
    unsigned kinds;
    double moved, deviation, temperature;
    int neighbors;
    bool spans;
    dl_challenges challenges;
} design;

enum {
    ON = 1 << DL_ROUND_ON,
    EVERYBODY = ON | 1 << DL_ROUND_EVERYBODY,
    REGIONS = ON | 1 << DL_ROUND_LARGE | 1 << DL_ROUND_MEDIUM | 1 << DL_ROUND_SMALL,
    WINDOWS = ON | 1 << DL_ROUND_WINDOWS
};

static const design DESIGN[] = {
    {"plain", "no rounds", 0, 0, 0, 0, 8, false, DL_CHALLENGES_NEVER},
    {"plain-16", "... 2 to 16 agents", 0, 0, 0, 0, 16, false, DL_CHALLENGES_NEVER},
    {"annealed-1", "no rounds; steps may cost 1 on average, cooling down in cycles", 0, 0, 0, 1, 8, false,
     DL_CHALLENGES_NEVER},
    {"annealed-4", "... 4", 0, 0, 0, 4, 8, false, DL_CHALLENGES_NEVER},
    {"windows", "windows re-solved by LaCAM", WINDOWS, 0, 0, 0, 8, false, DL_CHALLENGES_NEVER},
    {"everybody", "kicks of everybody, better ones kept", EVERYBODY, 0.6, 0, 0, 8, false, DL_CHALLENGES_NEVER},
    {"regions", "kicks of 5 to 40 % of the agents, better ones kept", REGIONS, 0.6, 0, 0, 8, false,
     DL_CHALLENGES_NEVER},
    {"regions-record", "... up to 0.2 % more expensive ones kept", REGIONS, 0.6, 0.002, 0, 8, false,
     DL_CHALLENGES_NEVER},
    {"spans", "... in spans of time", REGIONS, 0.6, 0.002, 0, 8, true, DL_CHALLENGES_NEVER},
    {"kicks", "both, chosen by gain, better ones kept", EVERYBODY | REGIONS, 0.6, 0, 0, 8, false, DL_CHALLENGES_NEVER},
    {"kicks-record", "... up to 0.2 % more expensive ones kept", EVERYBODY | REGIONS, 0.6, 0.002, 0, 8, false,
     DL_CHALLENGES_NEVER},
    {"kicks-gentle", "... 30 % of the waits moved instead of 60 %", EVERYBODY | REGIONS, 0.3, 0.002, 0, 8, false,
     DL_CHALLENGES_NEVER},
    {"kicks-spans", "... those of regions in spans of time", EVERYBODY | REGIONS, 0.6, 0.002, 0, 8, true,
     DL_CHALLENGES_NEVER},
    {"all-whole", "... and windows, chosen by gain", EVERYBODY | REGIONS | WINDOWS, 0.6, 0.002, 0, 8, false,
     DL_CHALLENGES_NEVER},
    {"all", "... those of regions in spans of time", EVERYBODY | REGIONS | WINDOWS, 0.6, 0.002, 0, 8, true,
     DL_CHALLENGES_NEVER},
    {"race", "... and challenged by fresh starts once it stalls", EVERYBODY | REGIONS | WINDOWS, 0.6, 0.002, 0, 8, true,
     DL_CHALLENGES_STALLED},
    {"race-early", "... and one after the other early in the run: what solve --stop limit does",
     EVERYBODY | REGIONS | WINDOWS, 0.6, 0.002, 0, 8, true, DL_CHALLENGES_EARLY},
};
enum { DESIGNS = sizeof DESIGN / sizeof DESIGN[0] };

static dl_iterated_options options_of(const design *d)
{
    dl_iterated_options options = DL_ITERATED_DEFAULTS;
    options.kinds = d->kinds;
    options.moved = d->moved;
    options.spans = d->spans;
    options.deviation = d->deviation;
    options.temperature = d->temperature;
    options.improve.neighbors = d->neighbors;
    return options;
}

typedef struct design_list {
    const design *member[DESIGNS];
    int count;
} design_list;

static const design *find_design(const char *name)
{
    for (int i = 0; i < DESIGNS; i++)
        if (strcmp(DESIGN[i].name, name) == 0) return &DESIGN[i];
    return NULL;
}

static dl_status read_designs(const char *names, design_list *list, dl_error *err)
{
    list->count = 0;
    if (!names) {
        while (list->count < DESIGNS) list->member[list->count] = &DESIGN[list->count], list->count++;
        return DIFFLNS_OK;
    }
    char *copy = needed(dl_strdup(names)), *rest = copy;
    dl_status status = DIFFLNS_OK;
    for (char *word; status == DIFFLNS_OK && (word = strsep(&rest, ","));) {
        const design *found = find_design(word);
        if (!found || list->count == DESIGNS)
            status = dl_fail(err, DIFFLNS_BAD_INPUT, "methods: \"%s\": expected a design, e.g. plain", word);
        else
            list->member[list->count++] = found;
    }
    free(copy);
    return status;
}

/* ---- one run ---- */

typedef struct outcome {
    const dl_setting *setting;
    const design *design;
    uint64_t seed;
    int64_t lower_bound, first_soc, soc;
    uint64_t searches, rounds, kept;
    double seconds; /* of the processor */
} outcome;

typedef struct outcome_list {
    outcome *row;
    int count, room;
} outcome_list;

/* Iterations between two looks at the number of searches. */
enum { BURST = 16 };

static dl_status measure(const dl_bench_improve *bench, dl_planner *p, outcome *result, dl_error *err)
{
    dl_iterated_options options = options_of(result->design);
    dl_deadline none = dl_no_deadline();
    dl_race race;
    const dl_iterated *m = &race.iterated;
    double began = dl_process_now();
    need(dl_race_begin(&race, p, &options, result->design->challenges) && dl_race_start(&race, result->seed, 0));
    for (uint64_t before = UINT64_MAX; m->searches < bench->searches && m->iterations != before;) {
        before = m->iterations;
        bool is_late = (double)m->searches >= DL_EARLY_SHARE * (double)bench->searches;
        if (race.policy == DL_CHALLENGES_EARLY && is_late) race.policy = DL_CHALLENGES_STALLED;
        dl_race_run(&race, BURST, &none);
    }
    const dl_snapshot *best = dl_race_best(&race);
    result->seconds = dl_process_now() - began;
    result->soc = best->soc;
    result->searches = m->searches;
    result->rounds = m->rounds;
    result->kept = m->kept;
    need(dl_race_adopt(&race, best->track, best->soc, &none));
    dl_race_end(&race);
    dl_plan *plan = needed(dl_planner_write_plan(p));
    bool valid = dl_check_valid(p->instance, plan) && dl_plan_soc(plan) == result->soc;
    dl_plan_free(plan);
    return valid ? DIFFLNS_OK
                 : dl_fail(err, DIFFLNS_INTERNAL, "%s made a plan that is not valid", result->design->name);
}

/* All designs on one instance. */
static dl_status compare(const dl_bench_improve *bench, const design_list *designs, const dl_setting *setting,
                         uint64_t seed, outcome_list *list, dl_error *err)
{
    dl_generate_params params;
    dl_generator_scratch scratch = {0};
    dl_instance *instance;
    DL_TRY(dl_generate_preset(setting->family, &params, err));
    params.agents = setting->agents;
    dl_status status = dl_generate(&params, seed, &scratch, &instance, err);
    dl_generator_scratch_free(&scratch);
    if (status != DIFFLNS_OK) return status;
    dl_distance *distance = needed(dl_distance_create(instance));
    dl_planner *planner = needed(dl_planner_create(instance, distance, DL_ENGINE_AUTO));
    dl_plan *first = dl_first_plan_make(planner, seed);
    for (int i = 0; first && status == DIFFLNS_OK && i < designs->count; i++) {
        outcome result = {.setting = setting,
                          .design = designs->member[i],
                          .seed = seed,
                          .lower_bound = dl_distance_lower_bound(distance),
                          .first_soc = dl_plan_soc(first)};
        dl_first_plan_take_up(planner, first);
        status = measure(bench, planner, &result, err);
        need(DL_GROW(list->row, list->room, list->count + 1));
        list->row[list->count++] = result;
    }
    dl_plan_free(first);
    dl_planner_free(planner);
    dl_distance_free(distance);
    dl_instance_free(instance);
    return status;
}

/* ---- the results ---- */

/* The geometric mean of cost over the first design's on the same instance, of one setting or (NULL) all. */
static double mean_ratio(const outcome_list *list, int designs, int which, const dl_setting *setting)
{
    double sum = 0;
    int count = 0;
    for (int i = which; i < list->count; i += designs) {
        const outcome *own = &list->row[i], *first = &list->row[i - which];
        if (setting && own->setting != setting) continue;
        sum += log((double)own->soc / (double)first->soc);
        count++;
    }
    return count ? exp(sum / count) : 0;
}

static double mean_cost(const outcome_list *list, int designs, const dl_setting *setting)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < list->count; i += designs)
        if (list->row[i].setting == setting) {
            sum += (double)list->row[i].soc;
            count++;
        }
    return count ? sum / count : 0;
}

static void print_table(FILE *table, const outcome_list *list, const design_list *designs,
                        const dl_setting_list *settings)
{
    fprintf(table, "%-20s %8s", "", designs->member[0]->name);
    for (int k = 1; k < designs->count; k++) fprintf(table, " %14s", designs->member[k]->name);
    fputc('\n', table);
    for (int i = 0; i <= settings->count; i++) {
        const dl_setting *setting = i < settings->count ? &settings->setting[i] : NULL;
        char name[64] = "all";
        if (setting) snprintf(name, sizeof name, "%s %d", setting->family, setting->agents);
        fprintf(table, "%-20s %8.0f", name, setting ? mean_cost(list, designs->count, setting) : 0);
        for (int k = 1; k < designs->count; k++)
            fprintf(table, " %14.3f", mean_ratio(list, designs->count, k, setting));
        fputc('\n', table);
    }
    fprintf(table, "%-20s", "CPU seconds");
    for (int k = 0; k < designs->count; k++) {
        double seconds = 0;
        for (int i = k; i < list->count; i += designs->count) seconds += list->row[i].seconds;
        fprintf(table, " %*.1f", k ? 14 : 8, seconds);
    }
    fputs("\nmean cost of the first design; the others' relative to it (geometric mean), after as many searches\n",
          table);
}

static dl_status write_csv(const char *folder, const outcome_list *list, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, "results.csv", err));
    fputs("family,agents,seed,design,sum_of_distances,first_soc,soc,searches,rounds,kept,seconds\n", out.stream);
    for (int i = 0; i < list->count; i++) {
        const outcome *r = &list->row[i];
        fprintf(out.stream, "%s,%d,%llu,%s,%lld,%lld,%lld,%llu,%llu,%llu,%.3f\n", r->setting->family,
                r->setting->agents, (unsigned long long)r->seed, r->design->name, (long long)r->lower_bound,
                (long long)r->first_soc, (long long)r->soc, (unsigned long long)r->searches,
                (unsigned long long)r->rounds, (unsigned long long)r->kept, r->seconds);
    }
    return dl_output_commit(&out, err);
}

dl_status dl_bench_improve_run(const dl_bench_improve *bench, FILE *table, const dl_progress *progress, dl_error *err)
{
    static const dl_experiment SETTINGS = {.name = "improve", .pool = DL_POOL_DENSEST};
    design_list designs;
    dl_setting_list settings;
    outcome_list list = {0};
    DL_TRY(read_designs(bench->designs, &designs, err));
    DL_TRY(dl_settings_read(&SETTINGS, bench->settings, &settings, err));
    dl_status status = DIFFLNS_OK;
    int total = settings.count * bench->cases;
    for (int i = 0; i < total && status == DIFFLNS_OK; i++) {
        const dl_setting *setting = &settings.setting[i / bench->cases];
        status = compare(bench, &designs, setting, bench->seed + (uint64_t)(i % bench->cases), &list, err);
        dl_progress_report(progress, (uint64_t)i + 1, (uint64_t)total, setting->family);
    }
    if (status == DIFFLNS_OK) print_table(table, &list, &designs, &settings);
    if (status == DIFFLNS_OK && bench->out) status = write_csv(bench->out, &list, err);
    free(list.row);
    free(settings.setting);
    return status;
}

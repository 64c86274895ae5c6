/* difflns sample: drafts as the model draws them, without repair. */
#include "diffusion/sampler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "formats/plan_io.h"
#include "memory/need.h"

/* FILE for one draft, FILE with -0, -1, ... before its extension for several. */
static char *numbered(const char *path, int index, int count)
{
    dl_text text = {0};
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    int stem = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
    if (count == 1)
        dl_text_print(&text, "%s", path);
    else
        dl_text_print(&text, "%.*s-%d%s", stem, path, index, path + stem);
    need(!text.cut);
    return text.data;
}

typedef struct tracer {
    const dl_instance *instance;
    const char *folder;
    dl_status status;
    dl_error err;
} tracer;

static char *step_path(const char *folder, int step)
{
    dl_text path = {0};
    dl_text_print(&path, "%s/step-%03d.json", folder, step);
    need(!path.cut);
    return path.data;
}

/* Removes what an earlier, longer trace left from step `first` on, so that the folder holds one trace. */
static void forget_steps(const char *folder, int first)
{
    for (bool found = true; found; first++) {
        char *path = step_path(folder, first);
        found = unlink(path) == 0;
        free(path);
    }
}

static void trace(void *user, int candidate, int step, int steps, const dl_plan *plan)
{
    tracer *t = user;
    if (candidate != 0 || t->status != DIFFLNS_OK) return;
    if (step == 0) forget_steps(t->folder, steps + 1);
    char *path = step_path(t->folder, step);
    t->status = dl_plan_write(t->instance, plan, DIFFLNS_FORMAT_JSON, path, &t->err);
    free(path);
}

static void print_plan(const char *name, const dl_instance *instance, const dl_plan *plan)
{
    dl_collisions collisions;
    need(dl_plan_collisions(instance, plan, &collisions));
    printf("%s conflicts=%lld colliding_pairs=%lld soc=%lld makespan=%d", name,
           (long long)collisions.vertex + (long long)collisions.swap, (long long)collisions.pairs,
           (long long)dl_plan_soc(plan), dl_plan_makespan(plan));
}

static void print_drafts(const dl_scene *scene, const dl_draft *drafts, int count, double seconds)
{
    const dl_instance *instance = scene->instance;
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "draft=%d", i);
        print_plan(name, instance, drafts[i].plan);
        printf(" at_goal=%.4f remaining_distance=%.3f horizon=%d\n", (double)drafts[i].reach.at_goal / instance->agents,
               (double)drafts[i].reach.remaining / instance->agents, drafts[i].horizon);
    }
    dl_plan *paths = dl_draft_shortest_paths(scene);
    print_plan("shortest_paths", instance, paths);
    printf("\nagents=%d drafts=%d seconds=%.2f tokens_per_second=%.0f\n", instance->agents, count, seconds,
           (double)count * instance->agents * drafts[0].horizon / seconds);
    dl_plan_free(paths);
}

static dl_status write_drafts(const options *opts, const dl_instance *instance, const dl_draft *drafts, int count,
                              dl_error *err)
{
    dl_status status = DIFFLNS_OK;
    for (int i = 0; opts->out_drafts && i < count && status == DIFFLNS_OK; i++) {
        char *path = numbered(opts->out_drafts, i, count);
        status = dl_plan_write(instance, drafts[i].plan, (difflns_format)opts->format, path, err);
        free(path);
    }
    return status;
}

static int run(const options *opts, const dl_model *model, const dl_instance *instance)
{
    dl_sample_options sample = dl_sample_defaults(model);
    sample.candidates = (int)opts->drafts;
    sample.seed = opts->solver.seed;
    sample.steps = opts->solver.steps;
    sample.horizon = opts->solver.horizon;
    sample.temperature = opts->temperature;
    sample.threads = (int)opts->sample_threads;
    if (opts->step_cost >= 0) sample.step_cost = opts->step_cost;
    if (opts->collision_cost >= 0) sample.collision_cost = opts->collision_cost;
    if (opts->sampler > 0) sample.sampler = (dl_sampler)(opts->sampler - 1);
    if (opts->decoding > 0) sample.decoding = (dl_decoding)(opts->decoding - 1);
    tracer recorder = {.instance = instance, .folder = opts->trace};
    dl_sample_watch watch = {trace, &recorder};
    if (opts->trace) mkdir(opts->trace, 0777); /* a failure shows when the first file is written */
    terminal_bar bar;
    terminal_bar_begin(&bar, "sample", opts->quiet);
    dl_deadline deadline = {__builtin_inf(), terminal_catch_signals()};
    dl_scene *scene = needed(dl_scene_create(instance));
    dl_draft *drafts = needed(DL_ARRAY(dl_draft, sample.candidates));
    difflns_error err;
    double begin = dl_now();
    dl_status status =
        dl_sample_drafts(model, scene, &sample, &deadline, &bar.progress, opts->trace ? &watch : NULL, drafts, &err);
    double seconds = dl_now() - begin;
    terminal_bar_clear(&bar);
    if (status == DIFFLNS_OK && recorder.status != DIFFLNS_OK) {
        status = recorder.status;
        err = recorder.err;
    }
    if (status == DIFFLNS_OK) status = write_drafts(opts, instance, drafts, sample.candidates, &err);
    if (status == DIFFLNS_OK) print_drafts(scene, drafts, sample.candidates, seconds);
    for (int i = 0; i < sample.candidates; i++) dl_draft_free(&drafts[i]);
    free(drafts);
    dl_scene_free(scene);
    if (status == DIFFLNS_OK) return terminal_signal_status();
    int exit_status = cli_fail(&err);
    return status == DIFFLNS_STOPPED ? terminal_signal_status() : exit_status;
}

static int check_outputs(const options *opts)
{
    static const char *const STEPS[] = {"step-*.json", NULL};
    const char *inputs[] = {opts->map, opts->scen, opts->model};
    int status = opts->trace ? cli_check_folder("sample", opts->trace, STEPS, inputs, 3) : 0;
    for (int i = 0; opts->out_drafts && i < opts->drafts && status == 0; i++) {
        char *path = numbered(opts->out_drafts, i, (int)opts->drafts);
        status = cli_check_outputs("sample", (const char *const *)&path, 1, inputs, 3);
        free(path);
    }
    return status;
}

int cli_sample(const options *opts)
{
    if (!opts->model) return cli_usage("sample: --model: expected a file");
    int exit_status = check_outputs(opts);
    if (exit_status) return exit_status;
    difflns_instance *instance;
    exit_status = cli_load(opts, "sample", &instance);
    if (exit_status) return exit_status;
    difflns_error err;
    dl_model *model;
    int cut_off = dl_instance_cut_off_agent(instance);
    if (cut_off >= 0) {
        dl_fail(&err, DIFFLNS_UNSOLVABLE, "agent %d: its goal can't be reached from its start", cut_off);
        exit_status = cli_fail(&err);
    } else if (dl_model_load(opts->model, &model, &err) != DIFFLNS_OK)
        exit_status = cli_fail(&err);
    else {
        exit_status = run(opts, model, instance);
        dl_model_free(model);
    }
    difflns_instance_free(instance);
    return exit_status;
}

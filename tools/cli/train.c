/* difflns train: a denoiser from demonstrations. */
#include "diffusion/train.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "memory/need.h"
#include "mpi/mpi_ranks.h"
#include "plot/loss_plot.h"

/* The log of a run: lines on stdout and in MODEL.jsonl, and the plot they make. */
typedef struct journal {
    bool resume;
    terminal_bar *bar;
    FILE *file;
    char *path, *plot_path;
    dl_loss_point *points;
    int count, capacity;
} journal;

static char *beside(const char *path, const char *suffix)
{
    dl_text text = {0};
    dl_text_print(&text, "%s%s", path, suffix);
    need(!text.cut);
    return text.data;
}

/* The plot shows what the log says, and no digit more: a resumed run draws it from there. */
static void add_point(journal *j, const json_t *report)
{
    const json_t *validation = json_object_get(report, "validation");
    const json_t *drafts = json_object_get(validation, "drafts"), *pp = json_object_get(validation, "prioritized");
    need(DL_GROW(j->points, j->capacity, j->count + 1));
    j->points[j->count++] =
        (dl_loss_point){.epoch = json_number_value(json_object_get(report, "epoch")),
                        .loss = json_number_value(json_object_get(report, "loss")),
                        .pairs = drafts ? json_number_value(json_object_get(drafts, "pairs_per_agent")) : -1,
                        .prioritized_pairs = pp ? json_number_value(json_object_get(pp, "pairs_per_agent")) : -1};
}

/* Reads the log of earlier sittings; a line that is no report is left alone. Returns where what counts of it ends: a
 * process that was killed may have left part of a line, or one about an epoch it could not save any more, and one that
 * was stopped inside an epoch a line that says so. */
static off_t read_journal(journal *j, int finished)
{
    FILE *file = fopen(j->path, "r");
    char *line = NULL;
    size_t room = 0;
    off_t end = 0;
    for (ssize_t size; file && (size = getline(&line, &room, file)) > 0 && line[size - 1] == '\n'; end += size) {
        json_t *report = json_loads(line, 0, NULL);
        bool counts = json_number_value(json_object_get(report, "epoch")) <= finished &&
                      !json_is_true(json_object_get(report, "partial"));
        if (json_is_object(report) && counts) add_point(j, report);
        json_decref(report);
        if (!counts) break;
    }
    free(line);
    if (file) fclose(file);
    return end;
}

static void draw(const journal *j)
{
    difflns_error err;
    if (dl_loss_plot_write(j->plot_path, j->points, j->count, &err) != DIFFLNS_OK)
        fprintf(stderr, "difflns: %s\n", err.message);
}

static dl_status begin_journal(void *user, int finished, dl_error *err)
{
    journal *j = user;
    off_t end = j->resume ? read_journal(j, finished) : 0;
    j->file = fopen(j->path, "a");
    if (!j->file || ftruncate(fileno(j->file), end) != 0)
        return dl_fail(err, DIFFLNS_IO, "%s: cannot write: %s", j->path, strerror(errno));
    if (j->count > 0) draw(j); /* the writer of the last line may have been killed before it was drawn */
    return DIFFLNS_OK;
}

static void on_epoch(void *user, const dl_epoch_report *report)
{
    journal *j = user;
    terminal_bar_clear(j->bar);
    printf("%s\n", report->json);
    fflush(stdout);
    if (fprintf(j->file, "%s\n", report->json) < 0 || fflush(j->file) != 0) { /* no reason to stop training */
        fprintf(stderr, "difflns: %s: cannot write: %s\n", j->path, strerror(errno));
        clearerr(j->file);
    }
    json_t *read = needed(json_loads(report->json, 0, NULL));
    add_point(j, read);
    json_decref(read);
    draw(j);
}

/* "name=value,name=value" over `config`. Values are JSON; what is not (a choice's name) is a string. */
static dl_status apply_settings(const char *list, dl_config *config, dl_error *err)
{
    json_t *object = dl_config_json(config);
    char *copy = needed(dl_strdup(list));
    dl_status status = DIFFLNS_OK;
    for (char *rest = copy, *setting; status == DIFFLNS_OK && (setting = strsep(&rest, ",")) != NULL;) {
        char *value = strchr(setting, '=');
        if (!value) {
            status = dl_fail(err, DIFFLNS_BAD_INPUT, "--set: \"%.60s\": expected name=value", setting);
            break;
        }
        *value++ = 0;
        json_t *parsed = json_loads(value, JSON_DECODE_ANY, NULL);
        json_object_set_new(object, setting, parsed ? parsed : json_string(value));
    }
    char *json = json_dumps(object, JSON_REAL_PRECISION(17));
    if (status == DIFFLNS_OK) status = dl_config_parse("--set", json, config, err);
    free(json);
    free(copy);
    json_decref(object);
    return status;
}

static dl_status read_config(const options *opts, dl_config *config, dl_error *err)
{
    DL_TRY(dl_config_load(opts->config, config, err));
    if (opts->attention > 0) config->network.attention = (int)opts->attention - 1;
    return opts->settings ? apply_settings(opts->settings, config, err) : DIFFLNS_OK;
}

static dl_status read_examples(const options *opts, dl_examples *examples, dl_error *err)
{
    char *copy = needed(dl_strdup(opts->demos));
    dl_status status = DIFFLNS_OK;
    for (char *rest = copy, *path; status == DIFFLNS_OK && (path = strsep(&rest, ",")) != NULL;)
        status = dl_examples_load(examples, path, (int)opts->train_threads, err);
    free(copy);
    return status;
}

static int run(const options *opts, const dl_config *config, const dl_examples *examples, const dl_model *start,
               dl_ranks ranks)
{
    bool first = ranks.rank == 0;
    terminal_bar bar;
    journal j = {.resume = opts->resume,
                 .bar = &bar,
                 .path = beside(opts->out_model, ".jsonl"),
                 .plot_path = beside(opts->out_model, ".svg")};
    difflns_error err;
    terminal_bar_begin(&bar, "train", opts->quiet || !first);
    dl_deadline deadline = {opts->train_time > 0 ? dl_now() + opts->train_time : __builtin_inf(),
                            terminal_catch_signals()};
    dl_train_options train = {.path = opts->out_model,
                              .resume = opts->resume,
                              .other_data = opts->other_data,
                              .start = start,
                              .epochs = (int)opts->epochs,
                              .threads = (int)opts->train_threads,
                              .checkpoint_seconds = opts->checkpoint};
    dl_train_listener listener = {begin_journal, on_epoch, &j};
    dl_status status = dl_train(config, examples, &train, ranks, &deadline, &bar.progress, &listener, &err);
    terminal_bar_clear(&bar);
    if (j.file) fclose(j.file);
    free(j.path);
    free(j.plot_path);
    free(j.points);
    if (status == DIFFLNS_OK) return 0;
    int exit_status = first ? cli_fail(&err) : 1;
    return status == DIFFLNS_STOPPED ? terminal_signal_status() : exit_status;
}

/* Refuses to overwrite what is read: the demonstrations, the configuration, the weights to start from. */
static int check_outputs(const options *opts)
{
    static const char *const SUFFIX[] = {"", ".state", ".jsonl", ".svg"};
    enum { WRITTEN = sizeof SUFFIX / sizeof SUFFIX[0] };
    char *written[WRITTEN], *data = needed(dl_strdup(opts->demos));
    for (int i = 0; i < WRITTEN; i++) written[i] = beside(opts->out_model, SUFFIX[i]);
    const char *inputs[] = {opts->config, opts->start_model};
    int status = cli_check_outputs("train", (const char *const *)written, WRITTEN, inputs, 2);
    for (char *rest = data, *path; status == 0 && (path = strsep(&rest, ",")) != NULL;)
        status = cli_check_outputs("train", (const char *const *)written, WRITTEN, (const char *const *)&path, 1);
    for (int i = 0; i < WRITTEN; i++) free(written[i]);
    free(data);
    return status;
}

/* Two trainings of one model would overwrite each other's checkpoints. The first rank locks for all. */
static dl_status lock_model(const char *path, dl_ranks ranks, dl_lock *lock, dl_error *err)
{
    dl_status status = ranks.rank == 0 ? dl_lock_take(lock, path, err) : DIFFLNS_OK;
    dl_ranks_share(ranks, &status, sizeof status);
    if (status != DIFFLNS_OK && ranks.rank != 0) dl_fail(err, status, "train: the first rank could not begin");
    return status;
}

static int read_and_run(const options *opts, dl_ranks ranks)
{
    dl_lock lock = {0};
    dl_config config;
    dl_examples examples = {0};
    dl_model *start = NULL;
    difflns_error err;
    dl_status status = lock_model(opts->out_model, ranks, &lock, &err);
    if (status == DIFFLNS_OK) status = read_config(opts, &config, &err);
    if (status == DIFFLNS_OK) status = read_examples(opts, &examples, &err);
    if (status == DIFFLNS_OK && opts->start_model) status = dl_model_load(opts->start_model, &start, &err);
    int exit_status = 2;
    if (status == DIFFLNS_OK)
        exit_status = run(opts, &config, &examples, start, ranks);
    else if (ranks.rank == 0)
        exit_status = cli_fail(&err);
    dl_model_free(start);
    dl_examples_free(&examples);
    dl_lock_release(&lock);
    return exit_status;
}

int cli_train(const options *opts)
{
    if (!opts->demos) return cli_usage("train: --data: expected a file");
    if (!opts->out_model) return cli_usage("train: --out: expected a file");
    int refused = check_outputs(opts);
    if (refused) return refused;
    dl_ranks ranks = dl_mpi_begin();
    int exit_status = read_and_run(opts, ranks);
    dl_mpi_end();
    return exit_status;
}

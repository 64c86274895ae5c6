#include "bench/runner.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "bench/cases.h"
#include "bench/external.h"
#include "complete/lower_bound.h"
#include "memory/need.h"
#include "solver/options.h"

enum { POLL_MICROSECONDS = 5000 }; /* how often the main thread looks for messages and progress */
enum { MOST_UNITS = 1009 };        /* a map has fewer scenarios; a prime spreads them over the ranks */
/* What the lower bound of a case may take. */
static const double BOUND_SECONDS = 2;
static const char FAILURE_MARK = '!'; /* the first letter of a message that is no row */

typedef struct job {
    const dl_setting *setting;
    int number; /* of the case */
    int unit;   /* those of one unit run on the same rank, one after the other */
} job;

typedef struct run {
    const dl_bench_options *options;
    int threads;
    dl_model *model, *dense_model, *untrained;
    job *job; /* [jobs], on all ranks */
    int jobs;
    atomic_int stop, working;
    pthread_mutex_t lock; /* of everything below */
    dl_results results;   /* rank 0 */
    dl_records *records;  /* what is known of the file */
    dl_text *queue;       /* other ranks: messages to send */
    int queued, queue_room;
    dl_error failure; /* the first; status DIFFLNS_OK = none */
    int done, total;  /* runs */
    char doing[128];
} run;

/* ---- jobs: case by case through all settings, so that an interrupted experiment has something of each ---- */

static int cases_of(const dl_bench_options *options, const dl_setting *setting)
{
    if (options->cases > 0) return options->cases;
    return options->experiment->cases > 0 ? options->experiment->cases : setting->cases;
}

/* Teams of a map's scenario grow one after the other. */
static void list_standard(run *r)
{
    const dl_setting_list *settings = &r->options->settings;
    int room = 0, unit = 0;
    for (int i = 0; i < settings->count; i++) {
        const dl_setting *setting = &settings->setting[i];
        int count, *number = dl_standard_cases(r->options->standard, setting, &count);
        bool new_family = i > 0 && strcmp(setting->family, setting[-1].family) != 0;
        if (new_family) unit += MOST_UNITS;
        need(DL_GROW(r->job, room, r->jobs + count + 1));
        assert(r->job);
        for (int k = 0; k < count; k++) r->job[r->jobs++] = (job){setting, number[k], unit + number[k]};
        free(number);
    }
}

static int count_jobs(const dl_bench_options *options)
{
    int jobs = 0;
    for (int i = 0; i < options->settings.count; i++) jobs += cases_of(options, &options->settings.setting[i]);
    return jobs;
}

static job *list_jobs(const dl_bench_options *options, int count)
{
    job *list = needed(DL_ARRAY(job, count));
    int listed = 0;
    for (int number = 0; listed < count; number++)
        for (int i = 0; i < options->settings.count; i++) {
            const dl_setting *setting = &options->settings.setting[i];
            if (number < cases_of(options, setting)) {
                list[listed] = (job){setting, number, listed};
                listed++;
            }
        }
    return list;
}

static uint64_t seed_of(const dl_bench_options *options, int number)
{
    return options->seed + (uint64_t)number;
}

/* Limited by seconds, unless it is asked to count iterations. */
static bool is_timed(const dl_bench_options *options)
{
    return options->experiment->timed && options->iterations == 0;
}

static double limit_of(const dl_bench_options *options, const dl_setting *setting)
{
    const dl_experiment *experiment = options->experiment;
    if (!is_timed(options)) return INFINITY;
    if (options->standard) return options->seconds;
    return (experiment->seconds > 0 ? experiment->seconds : setting->seconds) * options->time_scale;
}

static uint64_t iterations_of(const dl_bench_options *options)
{
    if (is_timed(options)) return 0;
    return options->iterations > 0 ? options->iterations : options->experiment->iterations;
}

/* ---- what an earlier run has done ---- */

static const dl_record *find_record(const run *r, const job *j, const dl_method *method)
{
    return dl_records_find(r->records, j->setting->family, j->setting->agents, j->number, method->name);
}

/* A row only counts if it was made as we would make it. */
static dl_status check_record(const run *r, const job *j, const dl_method *method, const dl_record *record,
                              dl_error *err)
{
    const dl_bench_options *options = r->options;
    double limit = limit_of(options, j->setting);
    bool same_limit = isinf(limit) ? record->limit == 0 : fabs(record->limit - limit) <= 1e-5 * limit;
    if (method->kind == DL_METHOD_LACAM && !method->patient) same_limit = true; /* matched with another run */
    bool without_start = record->start_conflicts < 0;                           /* more iterations would not help */
    bool enough = record->outcome != DL_RUN_UNSOLVED || without_start || record->iterations >= iterations_of(options);
    if (same_limit && enough && record->seed == seed_of(options, j->number) && record->threads == r->threads)
        return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT,
                   "%s/results.csv: case %d of %s %d by %s was run with another limit, seed or number of threads: "
                   "expected the same, or another --out",
                   options->folder, j->number, j->setting->family, j->setting->agents, method->name);
}

static dl_status check_records(run *r, dl_error *err)
{
    const dl_bench_options *options = r->options;
    for (int index = 0; index < r->jobs; index++) {
        const job *j = &r->job[index];
        for (int m = 0; m < options->methods.count; m++) {
            const dl_record *record = find_record(r, j, &options->methods.method[m]);
            if (!record) continue;
            DL_TRY(check_record(r, j, &options->methods.method[m], record, err));
            r->done++;
        }
    }
    return DIFFLNS_OK;
}

/* ---- one job ---- */

static void fail(run *r, const dl_error *err)
{
    pthread_mutex_lock(&r->lock);
    if (r->failure.status == DIFFLNS_OK) r->failure = *err;
    pthread_mutex_unlock(&r->lock);
    atomic_store(&r->stop, 1);
}

/* To the file, or to the main thread that sends it there. */
static void deliver(run *r, const dl_record *record)
{
    dl_error err = {.status = DIFFLNS_OK};
    pthread_mutex_lock(&r->lock);
    dl_records_add(r->records, record); /* other ranks, too: growing teams look at it */
    if (r->options->ranks.rank == 0) {
        dl_results_append(&r->results, record, &err);
        r->done++;
    } else {
        need(DL_GROW(r->queue, r->queue_room, r->queued + 1));
        r->queue[r->queued] = (dl_text){0};
        dl_record_print(record, &r->queue[r->queued++]);
    }
    pthread_mutex_unlock(&r->lock);
    if (err.status != DIFFLNS_OK) fail(r, &err);
}

/* The method whose time LaCAM is given. */
static int reference_method(const dl_method_list *methods)
{
    static const char *const NAME[] = {"difflns", "difflns-paper", "auto"};
    for (size_t i = 0; i < sizeof NAME / sizeof NAME[0]; i++)
        for (int m = 0; m < methods->count; m++)
            if (strcmp(methods->method[m].name, NAME[i]) == 0) return m;
    return -1;
}

static const dl_record *find_team(const run *r, const job *j, const dl_setting *team, const dl_method *method)
{
    return dl_records_find(r->records, team->family, team->agents, j->number, method->name);
}

/* Has the method failed on the two teams before, or been given up already? */
static bool is_given_up(run *r, const job *j, const dl_method *method)
{
    const dl_bench_options *options = r->options;
    const dl_setting *first = options->settings.setting, *team = j->setting;
    if (!options->standard || !options->standard->grows) return false;
    bool failed = true;
    pthread_mutex_lock(&r->lock);
    for (int back = 1; back <= 2 && failed; back++) {
        if (team - back < first || strcmp(team[-back].family, team->family) != 0) {
            failed = false;
            break;
        }
        const dl_record *record = find_team(r, j, team - back, method);
        failed = !record || record->outcome != DL_RUN_SOLVED;
        if (!record) break;
    }
    pthread_mutex_unlock(&r->lock);
    return failed;
}

/* Takes the seconds of a finished run; false if it was not run yet. */
static bool already_run(run *r, const job *j, const dl_method *method, double *seconds)
{
    pthread_mutex_lock(&r->lock);
    const dl_record *record = find_record(r, j, method);
    if (record) *seconds = record->seconds;
    snprintf(r->doing, sizeof r->doing, "%s %d, case %d, %s", j->setting->family, j->setting->agents, j->number,
             method->name);
    pthread_mutex_unlock(&r->lock);
    return record != NULL;
}

static void run_methods(run *r, const job *j, dl_bench_case *c)
{
    const dl_method_list *methods = &r->options->methods;
    int reference = reference_method(methods);
    for (int m = 0; m < methods->count && !atomic_load(&r->stop); m++) {
        const dl_method *method = &methods->method[m];
        double seconds;
        if (!already_run(r, j, method, &seconds)) {
            if (is_given_up(r, j, method)) continue;
            dl_record record = {.agents = j->setting->agents, .number = j->number, .seed = c->seed};
            dl_error err;
            snprintf(record.family, sizeof record.family, "%s", j->setting->family);
            snprintf(record.method, sizeof record.method, "%s", method->name);
            dl_status status = dl_method_run(method, c, &record, &err);
            if (status == DIFFLNS_STOPPED) return;
            if (status != DIFFLNS_OK) {
                fail(r, &err);
                return;
            }
            seconds = record.seconds;
            deliver(r, &record);
        }
        if (m == reference) c->matched = seconds;
    }
}

static bool finished(run *r, const job *j)
{
    double seconds;
    for (int m = 0; m < r->options->methods.count; m++)
        if (!already_run(r, j, &r->options->methods.method[m], &seconds) &&
            !is_given_up(r, j, &r->options->methods.method[m]))
            return false;
    return true;
}

static dl_status get_instance(run *r, const job *j, dl_generator_scratch *scratch, dl_instance **out, dl_error *err)
{
    if (r->options->standard) return dl_standard_load(r->options->standard, j->setting, j->number, out, err);
    return dl_case_generate(j->setting, seed_of(r->options, j->number), scratch, out, err);
}

/* Of the standard benchmark only: it takes time, and no run is charged for it. */
static int64_t bound_of(const run *r, const dl_instance *instance)
{
    if (!r->options->standard) return -1;
    dl_distance *distance = needed(dl_distance_create(instance));
    dl_deadline limit = {dl_now() + BOUND_SECONDS, &r->stop};
    int64_t bound = dl_lower_bound(instance, distance, &limit);
    dl_distance_free(distance);
    return bound;
}

/* Keeps the plan for the tracker unless one as cheap is there already. */
static void keep_plan(void *user, const dl_instance *instance, const dl_plan *plan, const dl_record *record)
{
    run *r = user;
    dl_error err;
    pthread_mutex_lock(&r->lock);
    bool is_best = true;
    for (int i = 0; i < r->records->count; i++) {
        const dl_record *other = &r->records->row[i];
        if (other->agents == record->agents && other->number == record->number &&
            strcmp(other->family, record->family) == 0 && other->outcome == DL_RUN_SOLVED)
            is_best &= other->soc > record->soc;
    }
    pthread_mutex_unlock(&r->lock);
    if (is_best && dl_standard_keep(r->options->tracker, instance, plan, record, &err) != DIFFLNS_OK) fail(r, &err);
}

static void do_job(run *r, const job *j, dl_generator_scratch *scratch)
{
    const dl_bench_options *options = r->options;
    dl_instance *instance;
    dl_error err;
    if (finished(r, j)) return;
    uint64_t seed = seed_of(options, j->number);
    if (get_instance(r, j, scratch, &instance, &err) != DIFFLNS_OK) {
        fail(r, &err);
        return;
    }
    dl_kept_draft kept = {0};
    dl_bench_case c = {.instance = instance,
                       .seed = seed,
                       .limit = limit_of(options, j->setting),
                       .repair_limit = is_timed(options) ? DL_REPAIR_SECONDS * options->time_scale : INFINITY,
                       .iterations = iterations_of(options),
                       .matched = -1,
                       .threads = r->threads,
                       .model = r->model,
                       .dense_model = r->dense_model,
                       .untrained = r->untrained,
                       .kept = is_timed(options) ? NULL : &kept, /* where time counts, each pays its own */
                       .folder = options->folder,
                       .lower_bound = bound_of(r, instance),
                       .keep = options->tracker ? keep_plan : NULL,
                       .user = r,
                       .stop = &r->stop};
    run_methods(r, j, &c);
    dl_kept_draft_free(&kept);
    dl_instance_free(instance);
}

static void *work(void *context)
{
    run *r = context;
    dl_generator_scratch scratch = {0};
    for (int index = 0; index < r->jobs && !atomic_load(&r->stop); index++)
        if (r->job[index].unit % r->options->ranks.size == r->options->ranks.rank) do_job(r, &r->job[index], &scratch);
    dl_generator_scratch_free(&scratch);
    atomic_store(&r->working, 0);
    return NULL;
}

/* ---- the main thread ---- */

/* Rank 0: an empty message is a rank's goodbye, a marked one its failure, any other a row. */
static void receive(run *r, int *talking)
{
    void *bytes;
    size_t size;
    while (dl_ranks_receive(r->options->ranks, &bytes, &size)) {
        const char *text = bytes;
        dl_record record;
        dl_error err;
        if (size == 0) {
            (*talking)--;
        } else if (text[0] == FAILURE_MARK) {
            dl_fail(&err, DIFFLNS_BAD_INPUT, "%.*s", (int)size - 1, text + 1);
            fail(r, &err);
        } else if (dl_record_parse(text, size - 1, "rank", 0, &record, &err) == DIFFLNS_OK) {
            deliver(r, &record);
        } else {
            fail(r, &err);
        }
        free(bytes);
    }
}

static void send_queued(run *r)
{
    for (;;) {
        dl_text message = {0};
        pthread_mutex_lock(&r->lock);
        if (r->queued > 0) message = r->queue[--r->queued];
        pthread_mutex_unlock(&r->lock);
        need(!message.cut);
        if (!message.data) return;
        dl_ranks_send(r->options->ranks, message.data, message.size);
        dl_text_free(&message);
    }
}

static void say_goodbye(run *r)
{
    if (r->failure.status != DIFFLNS_OK) {
        dl_text message = {0};
        dl_text_print(&message, "%c%s", FAILURE_MARK, r->failure.message);
        need(!message.cut);
        dl_ranks_send(r->options->ranks, message.data, message.size);
        dl_text_free(&message);
    }
    dl_ranks_send(r->options->ranks, NULL, 0);
}

static void report(run *r)
{
    char doing[sizeof r->doing];
    pthread_mutex_lock(&r->lock);
    int done = r->done;
    memcpy(doing, r->doing, sizeof doing);
    pthread_mutex_unlock(&r->lock);
    dl_progress_report(r->options->progress, (uint64_t)done, (uint64_t)r->total, doing);
}

static void attend(run *r)
{
    dl_ranks ranks = r->options->ranks;
    int talking = ranks.rank == 0 ? ranks.size - 1 : 0;
    for (;;) {
        bool working = atomic_load(&r->working);
        if (r->options->cancel && atomic_load(r->options->cancel)) atomic_store(&r->stop, 1);
        if (ranks.rank == 0) {
            receive(r, &talking);
            report(r);
        } else {
            send_queued(r);
        }
        if (!working && talking == 0) break;
        usleep(POLL_MICROSECONDS);
    }
    if (ranks.rank != 0) say_goodbye(r);
}

/* ---- the whole ---- */

static dl_status load_models(run *r, dl_error *err)
{
    const dl_bench_options *options = r->options;
    bool needed = false, dense = false, untrained = false;
    for (int m = 0; m < options->methods.count; m++) {
        const dl_method *method = &options->methods.method[m];
        needed |= dl_method_needs_model(method) && !method->dense;
        dense |= method->dense;
        untrained |= method->kind == DL_METHOD_STARTS && strcmp(method->start, "untrained") == 0;
    }
    if (dense && !options->dense_model)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "bench %s: --model-dense: expected the weights with dense attention",
                       options->experiment->name);
    if (needed) DL_TRY(difflns_model_load(options->model, &r->model, err));
    if (dense) DL_TRY(difflns_model_load(options->dense_model, &r->dense_model, err));
    if (untrained) r->untrained = dl_model_create(&r->model->config);
    return DIFFLNS_OK;
}

static dl_status claim_commands(const run *r, dl_error *err)
{
    const dl_method_list *methods = &r->options->methods;
    for (int m = 0; m < methods->count; m++) {
        const dl_method *method = &methods->method[m];
        bool begun = false;
        for (int i = 0; i < r->records->count; i++) begun |= strcmp(r->records->row[i].method, method->name) == 0;
        if (method->kind == DL_METHOD_EXTERNAL)
            DL_TRY(dl_external_claim(r->options->folder, method->name, method->command, begun, err));
    }
    return DIFFLNS_OK;
}

static dl_status open_results(run *r, dl_error *err)
{
    char path[4096];
    DL_TRY(dl_directory_make(r->options->folder, err));
    if (snprintf(path, sizeof path, "%s/results.csv", r->options->folder) >= (int)sizeof path)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "the folder's name is too long");
    DL_TRY(dl_results_open(path, &r->results, r->records, err));
    DL_TRY(check_records(r, err));
    return claim_commands(r, err);
}

/* Everybody learns what rank 0 read. */
static dl_status share_records(run *r, dl_status status, dl_error *err)
{
    dl_ranks ranks = r->options->ranks;
    dl_text rows = {0};
    for (int i = 0; ranks.rank == 0 && i < r->records->count; i++) dl_record_print(&r->records->row[i], &rows);
    int opened = status == DIFFLNS_OK;
    size_t size = rows.size;
    dl_ranks_share(ranks, &opened, sizeof opened);
    dl_ranks_share(ranks, &size, sizeof size);
    if (ranks.rank != 0) rows = (dl_text){.data = needed(dl_malloc(size + 1)), .size = size, .capacity = size + 1};
    need(!rows.cut);
    if (size > 0) dl_ranks_share(ranks, rows.data, size);
    dl_lines lines = dl_lines_begin(rows.data, ranks.rank != 0 ? size : 0);
    while (dl_lines_next(&lines)) {
        dl_record record;
        if (dl_record_parse(lines.text, lines.length, "rank 0", lines.number, &record, err) == DIFFLNS_OK)
            dl_records_add(r->records, &record);
    }
    dl_text_free(&rows);
    if (!opened && ranks.rank != 0) return dl_fail(err, DIFFLNS_IO, "rank 0 could not begin");
    if (status != DIFFLNS_OK && ranks.rank != 0) { /* rank 0 is waiting to hear from us */
        if (err) r->failure = *err;
        say_goodbye(r);
    }
    return status;
}

static dl_status run_all(run *r, dl_error *err)
{
    dl_status status = load_models(r, err);
    if (r->options->ranks.rank == 0 && status == DIFFLNS_OK) status = open_results(r, err);
    status = share_records(r, status, err);
    if (status != DIFFLNS_OK) return status;
    pthread_t worker;
    atomic_store(&r->working, 1);
    bool started = pthread_create(&worker, NULL, work, r) == 0;
    if (!started) work(r);
    attend(r);
    if (started) pthread_join(worker, NULL);
    if (r->failure.status != DIFFLNS_OK) {
        if (err) *err = r->failure;
        return r->failure.status;
    }
    return atomic_load(&r->stop) ? dl_fail(err, DIFFLNS_STOPPED, "stopped; run the same command again to resume")
                                 : DIFFLNS_OK;
}

dl_status dl_bench_run(const dl_bench_options *options, dl_records *records, dl_error *err)
{
    run r = {.options = options, .records = records};
    if (options->standard)
        list_standard(&r);
    else
        r.job = list_jobs(options, r.jobs = count_jobs(options));
    r.total = r.jobs * options->methods.count;
    r.threads = options->threads > 0 ? options->threads : dl_cores();
    pthread_mutex_init(&r.lock, NULL);
    dl_status status = run_all(&r, err);
    dl_results_close(&r.results);
    difflns_model_free(r.model);
    difflns_model_free(r.dense_model);
    difflns_model_free(r.untrained);
    for (int i = 0; i < r.queued; i++) dl_text_free(&r.queue[i]);
    free(r.queue);
    free(r.job);
    pthread_mutex_destroy(&r.lock);
    return status;
}

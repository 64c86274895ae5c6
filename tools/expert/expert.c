#include "expert/expert.h"

#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "diffusion/demos.h"
#include "expert/expert_card.h"
#include "memory/need.h"

enum { POLL_MICROSECONDS = 5000 }; /* how often the main thread looks for messages and progress */

typedef struct run {
    const dl_expert_options *options;
    dl_generate_params *params; /* [families][sizes] */
    uint8_t *done;              /* [count] jobs an earlier run has finished */
    atomic_int_fast64_t next;   /* job to take, in steps of one of this rank's jobs */
    atomic_int stop;            /* set after a failure or a cancel */
    atomic_int busy;            /* workers still at work */
    pthread_mutex_t lock;       /* of everything below */
    dl_demos_writer *writer;    /* rank 0 */
    dl_demo_record *queue;      /* other ranks: records to send */
    size_t queued, queue_capacity;
    dl_error failure;       /* the first; status DIFFLNS_OK = none */
    int64_t finished, made; /* jobs; demonstrations */
    double ratio_sum;       /* over the demonstrations made */
} run;

static int combinations(const dl_expert_options *options)
{
    return options->families * options->sizes;
}

/* ---- What the run is, as text: a file is only continued by a run that says the same ---- */

static char *about_run(const dl_expert_options *options)
{
    json_t *families = json_array(), *agents = json_array();
    for (int i = 0; i < options->families; i++) json_array_append_new(families, json_string(options->family[i]));
    for (int i = 0; i < options->sizes; i++) json_array_append_new(agents, json_integer(options->agents[i]));
    json_t *about =
        json_pack("{s:s, s:s, s:o, s:o, s:s, s:I, s:s}", "program", "difflns", "version", difflns_version(), "families",
                  families, "agents", agents, "placement", options->placement == DL_PLACE_ANY ? "any" : "disjoint",
                  "seed", (json_int_t)options->seed, "solver", dl_expert_solver_name(options->budget.solver));
    if (options->budget.iterations) {
        json_object_set_new(about, "iterations", json_integer((json_int_t)options->budget.iterations));
    } else {
        json_object_set_new(about, "seconds", json_real(options->budget.seconds));
    }
    if (options->worst > 0) json_object_set_new(about, "worst", json_real(options->worst));
    if (options->budget.pairs) json_object_set_new(about, "pairs", json_true());
    char *text = json_dumps(about, JSON_REAL_PRECISION(9));
    json_decref(about);
    return text;
}

static dl_status read_params(const dl_expert_options *options, dl_generate_params **out, dl_error *err)
{
    *out = needed(DL_ARRAY(dl_generate_params, combinations(options)));
    for (int family = 0; family < options->families; family++)
        for (int size = 0; size < options->sizes; size++) {
            dl_generate_params *params = &(*out)[family * options->sizes + size];
            DL_TRY(dl_generate_preset(options->family[family], params, err));
            params->agents = options->agents[size];
            params->placement = options->placement;
            DL_TRY(dl_generate_check(params, err));
        }
    return DIFFLNS_OK;
}

/* ---- One job ---- */

static void fail(run *r, const dl_error *err)
{
    pthread_mutex_lock(&r->lock);
    if (r->failure.status == DIFFLNS_OK) r->failure = *err;
    pthread_mutex_unlock(&r->lock);
    atomic_store(&r->stop, 1);
}

/* To the file, or to the main thread that sends it there. Takes over the record. */
static void deliver(run *r, dl_demo_record record, const dl_demo_summary *about, bool solved)
{
    dl_error err;
    dl_status status = DIFFLNS_OK;
    pthread_mutex_lock(&r->lock);
    r->finished++;
    if (solved) {
        r->made++;
        r->ratio_sum += about->lower_bound > 0 ? (double)about->soc / (double)about->lower_bound : 1;
    }
    if (r->writer) {
        status = dl_demos_append(r->writer, &record, &err);
        dl_demo_record_release(&record);
    } else {
        need(DL_GROW(r->queue, r->queue_capacity, r->queued + 1));
        r->queue[r->queued++] = record;
    }
    pthread_mutex_unlock(&r->lock);
    if (status != DIFFLNS_OK) fail(r, &err);
}

static void do_job(run *r, int64_t job, dl_generator_scratch *scratch)
{
    const dl_expert_options *options = r->options;
    const dl_generate_params *params = &r->params[job % combinations(options)];
    dl_rng rng = dl_rng_stream(options->seed, DL_PURPOSE('e', 'x', 'p', 't'), (uint64_t)job);
    /* Drawn, not counted up: instances for evaluation, which use small seeds, never show up in training. */
    dl_demo demo = {.about = {.job = (uint64_t)job, .seed = dl_rng_u64(&rng) >> 1, .agents = params->agents}};
    snprintf(demo.about.family, sizeof demo.about.family, "%s", params->family);
    dl_error err;
    if (dl_generate(params, demo.about.seed, scratch, &demo.instance, &err) != DIFFLNS_OK) {
        fail(r, &err);
        return;
    }
    dl_distance *distance = needed(dl_distance_create(demo.instance));
    demo.about.lower_bound = dl_distance_lower_bound(distance);
    dl_expert_plans plans;
    dl_status status =
        dl_expert_label(demo.instance, distance, &options->budget, dl_rng_u64(&rng), &r->stop, &plans, &err);
    demo.plan = plans.plan;
    demo.earlier = plans.earlier;
    if (status == DIFFLNS_OK && options->worst > 0 &&
        (double)dl_plan_soc(demo.plan) > options->worst * (double)demo.about.lower_bound)
        status = DIFFLNS_UNSOLVED; /* too far from the optimum to learn from */
    if (status == DIFFLNS_OK) {
        snprintf(demo.about.solver, sizeof demo.about.solver, "%s", dl_expert_solver_name(plans.won));
        dl_demo_record record = dl_demo_pack(&demo);
        deliver(r, record, &demo.about, true);
    } else if (status == DIFFLNS_UNSOLVED || status == DIFFLNS_UNSOLVABLE) {
        deliver(r, dl_demo_pack_unsolved(&demo.about), &demo.about, false);
    } else if (status != DIFFLNS_STOPPED) {
        fail(r, &err);
    }
    dl_distance_free(distance);
    dl_demo_release(&demo);
}

static void *work(void *context)
{
    run *r = context;
    dl_generator_scratch scratch = {0};
    while (!atomic_load(&r->stop)) {
        int64_t job = atomic_fetch_add(&r->next, 1) * r->options->ranks.size + r->options->ranks.rank;
        if (job >= r->options->count) break;
        if (!r->done[job]) do_job(r, job, &scratch);
    }
    dl_generator_scratch_free(&scratch);
    atomic_fetch_sub(&r->busy, 1);
    return NULL;
}

/* ---- The main thread ---- */

static void report(run *r, int64_t before, double begin)
{
    pthread_mutex_lock(&r->lock);
    int64_t finished = r->finished, made = r->made;
    double ratio = made ? r->ratio_sum / (double)made : 0;
    pthread_mutex_unlock(&r->lock);
    char detail[96];
    snprintf(detail, sizeof detail, "%.1f per second, cost over lower bound %.3f",
             (double)made / (dl_now() - begin + 1e-9), ratio);
    dl_progress_report(r->options->progress, (uint64_t)(before + finished), (uint64_t)r->options->count, detail);
}

/* Rank 0: stores what other ranks send; an empty message is a rank's goodbye. */
static void receive(run *r, int *talking)
{
    void *bytes;
    size_t size;
    while (dl_ranks_receive(r->options->ranks, &bytes, &size)) {
        if (size == 0) (*talking)--;
        dl_demo_summary about;
        bool solved;
        dl_demo_record record = {bytes, size};
        if (size > 0 && dl_demo_record_summary(&record, &about, &solved)) {
            deliver(r, record, &about, solved);
        } else {
            free(bytes);
        }
    }
}

/* Other ranks: sends what the workers have queued. */
static void send_queued(run *r)
{
    for (;;) {
        pthread_mutex_lock(&r->lock);
        bool any = r->queued > 0;
        dl_demo_record record = {0};
        if (any) record = r->queue[--r->queued];
        pthread_mutex_unlock(&r->lock);
        if (!any) return;
        dl_ranks_send(r->options->ranks, record.bytes, record.size);
        dl_demo_record_release(&record);
    }
}

static void attend(run *r, int64_t before)
{
    const dl_expert_options *options = r->options;
    int talking = options->ranks.rank == 0 ? options->ranks.size - 1 : 0;
    double begin = dl_now();
    for (;;) {
        bool working = atomic_load(&r->busy) > 0;
        if (options->cancel && atomic_load(options->cancel)) atomic_store(&r->stop, 1);
        if (options->ranks.rank == 0) {
            receive(r, &talking);
            report(r, before, begin);
        } else {
            send_queued(r);
        }
        if (!working && talking == 0) break;
        usleep(POLL_MICROSECONDS);
    }
    if (options->ranks.rank != 0) dl_ranks_send(options->ranks, NULL, 0);
}

static void run_workers(run *r, int64_t before)
{
    int threads = r->options->threads > 0 ? r->options->threads : dl_cores();
    pthread_t *worker = needed(DL_ARRAY(pthread_t, threads));
    int started = 0;
    atomic_store(&r->busy, threads);
    while (started < threads && pthread_create(&worker[started], NULL, work, r) == 0) started++;
    atomic_fetch_sub(&r->busy, threads - started);
    if (started == 0) { /* no threads to be had */
        atomic_store(&r->busy, 1);
        work(r);
    }
    attend(r, before);
    for (int i = 0; i < started; i++) pthread_join(worker[i], NULL);
    free(worker);
}

/* ---- The whole ---- */

static dl_status open_file(run *r, const char *about, int64_t *before, dl_error *err)
{
    const dl_expert_options *options = r->options;
    dl_status status = DIFFLNS_OK;
    if (options->ranks.rank == 0) {
        status = dl_demos_writer_open(options->path, about, &r->writer, err);
        for (int64_t job = 0; status == DIFFLNS_OK && job < options->count; job++)
            *before += r->done[job] = dl_demos_writer_has(r->writer, (uint64_t)job);
    }
    int opened = status == DIFFLNS_OK;
    dl_ranks_share(options->ranks, &opened, sizeof opened);
    dl_ranks_share(options->ranks, r->done, (size_t)options->count);
    if (!opened && options->ranks.rank != 0) return DIFFLNS_IO; /* rank 0 says why */
    return status;
}

static dl_status finish(run *r, double begin, dl_expert_summary *summary, dl_error *err)
{
    const dl_expert_options *options = r->options;
    bool stopped = options->cancel && atomic_load(options->cancel);
    if (options->ranks.rank == 0) {
        if (stopped || r->failure.status != DIFFLNS_OK) {
            dl_demos_writer_close(r->writer);
        } else {
            DL_TRY(dl_demos_writer_finish(r->writer, err));
        }
        dl_demos *demos;
        DL_TRY(dl_demos_open(options->path, &demos, err));
        dl_status status = dl_expert_write_card(options->path, demos, err);
        *summary = (dl_expert_summary){.solved = dl_demos_count(demos),
                                       .unsolved = dl_demos_unsolved(demos),
                                       .made = r->made,
                                       .seconds = dl_now() - begin};
        for (int64_t i = 0; i < summary->solved; i++) {
            const dl_demo_summary *demo = dl_demos_summary(demos, i);
            double ratio = demo->lower_bound > 0 ? (double)demo->soc / (double)demo->lower_bound : 1;
            summary->ratio += ratio / (double)summary->solved;
        }
        dl_demos_close(demos);
        DL_TRY(status);
    }
    if (r->failure.status != DIFFLNS_OK) {
        if (err) *err = r->failure;
        return r->failure.status;
    }
    return stopped ? dl_fail(err, DIFFLNS_STOPPED, "stopped; run the same command again to resume") : DIFFLNS_OK;
}

dl_status dl_expert_run(const dl_expert_options *options, dl_expert_summary *summary, dl_error *err)
{
    double begin = dl_now();
    *summary = (dl_expert_summary){0};
    run r = {.options = options};
    int64_t before = 0;
    dl_status status = read_params(options, &r.params, err);
    if (status == DIFFLNS_OK) {
        char *about = about_run(options);
        r.done = needed(DL_ARRAY(uint8_t, options->count));
        pthread_mutex_init(&r.lock, NULL);
        status = open_file(&r, about, &before, err);
        free(about);
        if (status == DIFFLNS_OK) {
            run_workers(&r, before);
            status = finish(&r, begin, summary, err);
        }
        pthread_mutex_destroy(&r.lock);
        free(r.done);
        free(r.queue);
    }
    free(r.params);
    return status;
}

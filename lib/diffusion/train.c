#include "diffusion/train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "diffusion/checkpoint.h"
#include "diffusion/validation.h"
#include "nn/adamw.h"
#include "nn/gemm.h"

typedef struct training {
    const dl_config *config;
    const dl_examples *examples;
    const dl_train_options *options;
    dl_ranks ranks;
    const dl_progress *progress;
    const dl_train_listener *listener;
    dl_model *model; /* its parameters follow the state's; the average stands in for them when sampling or saving */
    dl_training_state *state;
    dl_batches *batches;
    dl_learner *learner;
    real *gradient;
    int32_t *example; /* [batch] */
    int epoch_batches;
    char *state_path;
    double peak;           /* floating-point operations per second of one thread's matrix products */
    double began;          /* when this sitting began */
    double seconds_before; /* spent in sittings before */
} training;

/* The best of a few products of a size that fits the cache: what the machine can do right now. 0 when memory is out. */
static double measure_peak(void)
{
    enum { SIDE = 384, ROUNDS = 5 };
    real *a = dl_aligned(sizeof(real) * SIDE * SIDE), *b = dl_aligned(sizeof(real) * SIDE * SIDE);
    real *c = dl_aligned(sizeof(real) * SIDE * SIDE);
    bool room = a && b && c;
    for (int i = 0; room && i < SIDE * SIDE; i++) a[i] = b[i] = (real)1 / SIDE;
    double best = 0;
    for (int round = 0; room && round < ROUNDS; round++) {
        double begin = dl_now();
        dl_gemm(DL_PLAIN, DL_PLAIN, SIDE, SIDE, SIDE, a, SIDE, b, SIDE, false, c, SIDE);
        best = fmax(best, 2.0 * SIDE * SIDE * SIDE / (dl_now() - begin));
    }
    free(a);
    free(b);
    free(c);
    return best;
}

static int epochs_of(const training *t)
{
    return t->options->epochs > 0 ? t->options->epochs : t->config->training.epochs;
}

static double learning_rate(const training *t, uint64_t step)
{
    const dl_config *config = t->config;
    double warm = config->training.rate_warmup > 0 ? (double)(step + 1) / config->training.rate_warmup : 1;
    return config->training.learning_rate * fmin(warm, 1);
}

/* One optimizer step on the summed gradient; the average follows. */
static void update(training *t, double scale)
{
    dl_training_state *state = t->state;
    double norm = scale * dl_norm(state->count, t->gradient);
    double factor = scale * dl_clip_factor(norm, t->config->training.gradient_clip);
    dl_adamw optimizer = dl_adamw_default(learning_rate(t, state->step), t->config->training.weight_decay);
    for (int i = 0; i < dl_denoiser_tensors(t->model->net); i++) {
        const dl_tensor *tensor = dl_denoiser_tensor(t->model->net, i);
        size_t at = tensor->offset, count = (size_t)tensor->rows * (size_t)tensor->columns;
        dl_adamw_step(&optimizer, state->step + 1, count, factor, t->gradient + at, state->parameters + at,
                      state->first + at, state->second + at, tensor->decays);
    }
    /* Young averages follow fast, so that the first epochs are not weighed down by the random beginning. */
    double kept = fmin(t->config->training.average, (double)(state->step + 1) / (double)(state->step + 10));
    if (t->config->training.average == 0) kept = 0;
    for (size_t i = 0; i < state->count; i++)
        state->average[i] = (real)kept * state->average[i] + (real)(1 - kept) * state->parameters[i];
    state->step++;
}

static void describe_progress(const training *t, int epoch)
{
    const dl_batch_sums *sums = &t->state->epoch;
    char text[120];
    double tokens = 0;
    for (int i = 0; i < DL_NOISE_LEVELS; i++) tokens += sums->tokens[i];
    snprintf(text, sizeof text, "epoch %d, loss %.4f, %.0f tokens/s", epoch + 1, sums->total / sums->samples,
             tokens / fmax(t->state->epoch_seconds, 1e-9));
    uint64_t in_epoch = t->state->step - (uint64_t)epoch * (uint64_t)t->epoch_batches;
    dl_progress_report(t->progress, in_epoch, (uint64_t)t->epoch_batches, text);
}

/* The sums of all ranks in one go: gradient, losses, whether anybody wants to stop, or has no memory. */
static dl_status train_step(training *t, const double weight[DL_LOSS_TERMS], bool *stop, dl_error *err)
{
    struct {
        dl_batch_sums sums;
        double stop, starved;
    } shared = {.stop = *stop};
    uint64_t step = t->state->step;
    int passes = dl_batches_per_epoch(t->batches), batch = t->config->training.batch;
    dl_batches_get(t->batches, (int)(step / (uint64_t)passes), (int)(step % (uint64_t)passes), t->example);
    dl_batch_part part = {t->examples, t->example, batch, t->ranks.rank, t->ranks.size, step * (uint64_t)batch};
    shared.starved = !dl_learner_gradient(t->learner, &part, weight, t->gradient, &shared.sums);
    dl_ranks_sum_floats(t->ranks, t->gradient, t->state->count);
    dl_ranks_sum_doubles(t->ranks, (double *)&shared, sizeof shared / sizeof(double));
    if (shared.starved > 0) return dl_out_of_memory(err);
    double norm = dl_norm(t->state->count, t->gradient);
    if (!isfinite(shared.sums.total) || !isfinite(norm))
        return dl_fail(err, DIFFLNS_BAD_INPUT,
                       "training: step %llu: the %s is not finite: expected a lower learning rate or other settings",
                       (unsigned long long)step + 1, isfinite(shared.sums.total) ? "gradient" : "loss");
    update(t, 1.0 / batch);
    memcpy(t->model->parameters, t->state->parameters, sizeof(real) * t->state->count);
    dl_batch_sums_add(&t->state->epoch, &shared.sums);
    *stop = shared.stop > 0;
    return DIFFLNS_OK;
}

static void use_average(training *t, bool use)
{
    memcpy(t->model->parameters, use ? t->state->average : t->state->parameters, sizeof(real) * t->state->count);
}

/* What the model file says about itself. */
static json_t *card_json(const training *t)
{
    char data[17]; /* a number of 64 bits is more than every reader of JSON can hold */
    snprintf(data, sizeof data, "%016llx", (unsigned long long)t->state->data);
    return json_pack("{s:i, s:s, s:I, s:o, s:i, s:I, s:i, s:i, s:s}", "demonstrations", t->examples->count, "data",
                     data, "steps", (json_int_t)t->state->step, "epochs",
                     dl_json_rounded((double)t->state->step / t->epoch_batches, 2), "batch", t->config->training.batch,
                     "seconds", (json_int_t)llround(t->state->seconds), "ranks", t->ranks.size, "threads",
                     dl_learner_threads(t->learner), "version", DIFFLNS_VERSION_STRING);
}

static dl_status write_files(training *t, dl_error *err)
{
    t->state->seconds = t->seconds_before + dl_now() - t->began;
    dl_text card = {0};
    dl_json_add(&card, card_json(t), DL_JSON_DIGITS);
    bool written = !card.cut && dl_model_set_card(t->model, card.data);
    dl_text_free(&card);
    if (!written) return dl_out_of_memory(err);
    use_average(t, true);
    dl_status status = dl_model_save(t->model, t->options->path, err);
    use_average(t, false);
    return status == DIFFLNS_OK ? dl_training_state_save(t->state, t->state_path, err) : status;
}

/* The first rank writes; the others hear how it went, so that all stop together. */
static dl_status save(training *t, dl_error *err)
{
    dl_status status = t->ranks.rank == 0 ? write_files(t, err) : DIFFLNS_OK;
    dl_ranks_share(t->ranks, &status, sizeof status);
    if (status != DIFFLNS_OK && t->ranks.rank != 0) dl_fail(err, status, "training: the first rank could not save");
    return status;
}

/* The mean loss of an epoch, term by term. */
static void add_losses(json_t *report, const dl_batch_sums *sums, const double weight[DL_LOSS_TERMS])
{
    json_object_set_new(report, "loss", dl_json_rounded(sums->total / sums->samples, 6));
    for (int term = 0; term < DL_LOSS_TERMS; term++)
        if (weight[term] > 0)
            json_object_set_new(report, dl_loss_name((dl_loss_term)term),
                                dl_json_rounded(sums->term[term] / sums->samples, 6));
}

static void add_accuracy(json_t *report, const dl_batch_sums *sums)
{
    double tokens = 0, correct = 0;
    json_t *by_noise = json_array();
    for (int i = 0; i < DL_NOISE_LEVELS; i++) {
        tokens += sums->tokens[i];
        correct += sums->correct[i];
        /* Not a number, and so null, where no sample of a short epoch fell. */
        json_array_append_new(by_noise, dl_json_rounded(sums->correct[i] / sums->tokens[i], 4));
    }
    json_object_set_new(report, "accuracy", dl_json_rounded(correct / fmax(tokens, 1), 4));
    json_object_set_new(report, "accuracy_by_noise", by_noise);
}

static void add_speed(json_t *report, const training *t)
{
    const dl_batch_sums *sums = &t->state->epoch;
    double tokens = 0, seconds = fmax(t->state->epoch_seconds, 1e-9);
    double threads = (double)dl_learner_threads(t->learner) * t->ranks.size;
    for (int i = 0; i < DL_NOISE_LEVELS; i++) tokens += sums->tokens[i];
    json_object_set_new(report, "epoch_seconds", dl_json_rounded(seconds, 1));
    json_object_set_new(report, "seconds", dl_json_rounded(t->seconds_before + dl_now() - t->began, 1));
    json_object_set_new(report, "tokens_per_second", json_integer((json_int_t)llround(tokens / seconds)));
    json_object_set_new(report, "gemm_share", dl_json_rounded(sums->flops / seconds / (threads * t->peak), 3));
}

/* One line of the log. Setters of jansson refuse NULL without harm, so a value that memory was short of is missing from
 * the line; only a missing object makes none. */
static void write_report(const training *t, int epoch, bool partial, const double weight[DL_LOSS_TERMS],
                         const dl_validation *v, dl_text *out)
{
    json_t *report = json_object();
    json_object_set_new(report, "epoch", json_integer(epoch + 1));
    if (partial) json_object_set_new(report, "partial", json_true());
    json_object_set_new(report, "step", json_integer((json_int_t)t->state->step));
    add_losses(report, &t->state->epoch, weight);
    add_accuracy(report, &t->state->epoch);
    json_object_set_new(report, "learning_rate", json_real(learning_rate(t, t->state->step)));
    add_speed(report, t);
    if (v) json_object_set_new(report, "validation", dl_validation_json(v));
    dl_json_add(out, report, DL_JSON_DIGITS);
}

/* STOPPED if the deadline passed before it was done, on any rank. */
static dl_status validate(training *t, const dl_deadline *deadline, dl_validation *out, dl_error *err)
{
    dl_held_out held = {.examples = t->examples};
    held.example = dl_batches_held_out(t->batches, &held.count);
    use_average(t, true);
    dl_status status = dl_validate(t->model, &held, t->options->threads, t->ranks, deadline, out, err);
    use_average(t, false);
    if (status != DIFFLNS_OK) return status;
    return out->examples == held.count ? DIFFLNS_OK : DIFFLNS_STOPPED;
}

/* Validates if it is time to, saves and reports. *stop if there was no time to validate: the epoch's sums are then kept
 * and it ends when training is resumed. */
static dl_status end_epoch(training *t, int epoch, int epochs, const dl_deadline *deadline, bool *stop, dl_error *err)
{
    bool due = (epoch + 1) % t->config->training.validation_epochs == 0 || epoch == 0 || epoch + 1 == epochs;
    dl_validation v = {0};
    dl_status status = due ? validate(t, deadline, &v, err) : DIFFLNS_OK;
    *stop = status == DIFFLNS_STOPPED;
    if (status != DIFFLNS_OK) return *stop ? DIFFLNS_OK : status;
    double weight[DL_LOSS_TERMS];
    dl_loss_weights(t->config, epoch, weight);
    dl_text json = {0};
    write_report(t, epoch, false, weight, v.agents > 0 ? &v : NULL, &json);
    if (json.cut) {
        dl_text_free(&json);
        return dl_out_of_memory(err);
    }
    /* Before it is saved: who is killed in between reports it again, and no epoch is without a report. */
    if (t->ranks.rank == 0 && t->listener && t->listener->epoch) {
        dl_epoch_report report = {epoch + 1, json.data};
        t->listener->epoch(t->listener->user, &report);
    }
    dl_text_free(&json);
    t->state->epoch = (dl_batch_sums){0};
    t->state->epoch_seconds = 0;
    return save(t, err);
}

/* Training stops inside an epoch: a short run still shows what it achieved. */
static dl_status report_part(const training *t, dl_error *err)
{
    const dl_batch_sums *sums = &t->state->epoch;
    if (sums->samples == 0 || t->ranks.rank != 0 || !t->listener || !t->listener->epoch) return DIFFLNS_OK;
    int epoch = (int)((t->state->step - 1) / (uint64_t)t->epoch_batches);
    double weight[DL_LOSS_TERMS];
    dl_loss_weights(t->config, epoch, weight);
    dl_text json = {0};
    write_report(t, epoch, true, weight, NULL, &json);
    if (json.cut) {
        dl_text_free(&json);
        return dl_out_of_memory(err);
    }
    dl_epoch_report report = {epoch + 1, json.data};
    t->listener->epoch(t->listener->user, &report);
    dl_text_free(&json);
    return DIFFLNS_OK;
}

static dl_status run(training *t, const dl_deadline *deadline, dl_error *err)
{
    int epochs = epochs_of(t);
    double saved = dl_now();
    bool stop = false;
    while (!stop) {
        int epoch = (int)(t->state->step / (uint64_t)t->epoch_batches);
        if (t->state->step % (uint64_t)t->epoch_batches == 0 && t->state->epoch.samples > 0) {
            DL_TRY(end_epoch(t, epoch - 1, epochs, deadline, &stop, err));
            saved = dl_now();
            continue;
        }
        if (epoch >= epochs) return save(t, err);
        double weight[DL_LOSS_TERMS], begin = dl_now();
        dl_loss_weights(t->config, epoch, weight);
        stop = dl_deadline_passed(deadline);
        DL_TRY(train_step(t, weight, &stop, err));
        t->state->epoch_seconds += dl_now() - begin;
        describe_progress(t, epoch);
        if (dl_now() - saved > t->options->checkpoint_seconds) {
            DL_TRY(save(t, err));
            saved = dl_now();
        }
    }
    DL_TRY(save(t, err));
    DL_TRY(report_part(t, err));
    return dl_deadline_canceled(deadline) ? dl_fail(err, DIFFLNS_STOPPED, "training: stopped after step %llu, saved",
                                                    (unsigned long long)t->state->step)
                                          : DIFFLNS_OK;
}

/* Networks agree if their tensors do, whatever else their configurations say. */
static dl_status take_weights(dl_model *model, const dl_model *start, dl_error *err)
{
    int tensors = dl_denoiser_tensors(model->net);
    bool same = tensors == dl_denoiser_tensors(start->net);
    for (int i = 0; i < tensors && same; i++) {
        const dl_tensor *a = dl_denoiser_tensor(model->net, i), *b = dl_denoiser_tensor(start->net, i);
        same = strcmp(a->name, b->name) == 0 && a->rows == b->rows && a->columns == b->columns;
    }
    if (!same)
        return dl_fail(err, DIFFLNS_BAD_INPUT,
                       "the weights to start from belong to a network other than the configured one");
    memcpy(model->parameters, start->parameters, sizeof(real) * dl_denoiser_parameters(model->net));
    return DIFFLNS_OK;
}

/* An epoch whose last step is done and whose sums are kept was not validated yet. */
static int finished_epochs(const training *t)
{
    uint64_t batches = (uint64_t)t->epoch_batches, step = t->state->step;
    bool open = step % batches == 0 && t->state->epoch.samples > 0;
    return (int)(step / batches) - open;
}

/* Everything is checked; from here on files are written. All ranks hear whether the first one's listener agrees. */
static dl_status begin(training *t, dl_error *err)
{
    bool listens = t->ranks.rank == 0 && t->listener && t->listener->begin;
    dl_status status = listens ? t->listener->begin(t->listener->user, finished_epochs(t), err) : DIFFLNS_OK;
    dl_ranks_share(t->ranks, &status, sizeof status);
    if (status != DIFFLNS_OK && t->ranks.rank != 0) dl_fail(err, status, "training: the first rank could not begin");
    return status;
}

dl_status dl_train(const dl_config *config, const dl_examples *examples, const dl_train_options *options,
                   dl_ranks ranks, const dl_deadline *deadline, const dl_progress *progress,
                   const dl_train_listener *listener, dl_error *err)
{
    if (examples->count == 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "training: no demonstrations: expected at least 1");
    dl_text state_path = {0};
    dl_text_print(&state_path, "%s.state", options->path);
    training t = {.config = config,
                  .examples = examples,
                  .options = options,
                  .ranks = ranks,
                  .progress = progress,
                  .listener = listener,
                  .model = dl_model_create(config),
                  .batches = dl_batches_create(examples, config->training.batch, (uint64_t)config->training.seed),
                  .example = DL_ARRAY(int32_t, config->training.batch),
                  .state_path = state_path.data,
                  .peak = measure_peak(),
                  .began = dl_now()};
    dl_status status = DIFFLNS_OK;
    if (t.model) {
        if (options->start) status = take_weights(t.model, options->start, err);
        t.state = dl_training_state_create(t.model, dl_examples_fingerprint(examples));
        t.learner = dl_learner_create(t.model, options->threads);
        t.gradient = dl_aligned(sizeof(real) * dl_denoiser_parameters(t.model->net));
    }
    if (state_path.cut || !t.batches || !t.example || t.peak == 0 || !t.state || !t.learner || !t.gradient)
        status = dl_out_of_memory(err);
    if (status == DIFFLNS_OK && options->resume)
        status = dl_training_state_load(t.state, t.state_path, options->other_data, err);
    if (status == DIFFLNS_OK) {
        t.epoch_batches =
            config->training.epoch_batches > 0 ? config->training.epoch_batches : dl_batches_per_epoch(t.batches);
        status = begin(&t, err);
    }
    if (status == DIFFLNS_OK) {
        t.seconds_before = t.state->seconds;
        use_average(&t, false);
        status = run(&t, deadline, err);
    }
    dl_learner_free(t.learner);
    dl_training_state_free(t.state);
    dl_batches_free(t.batches);
    dl_model_free(t.model);
    free(t.gradient);
    free(t.example);
    dl_text_free(&state_path);
    return status;
}

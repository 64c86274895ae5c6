#include "bench/learning.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/output.h"
#include "bench/figures.h"
#include "memory/need.h"

/* Of the tokens before it, for a point. */
static const double LEAST_SPAN = 0.25;

static double number_at(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* An epoch that was cut short is told again when it is complete. */
static bool counts(const json_t *report)
{
    return number_at(report, "tokens_per_second") * number_at(report, "epoch_seconds") > 0 &&
           isfinite(number_at(report, "aux")) && !json_is_true(json_object_get(report, "partial"));
}

/* What a validation said last. */
static void take(double *value, const json_t *object, const char *name)
{
    double said = number_at(object, name);
    if (isfinite(said)) *value = said;
}

static bool is_complete(const dl_learning_point *point)
{
    return point->span >= LEAST_SPAN * (point->tokens - point->span);
}

/* The point that the next epoch belongs to. */
static dl_learning_point *open_point(dl_learning_curve *curve)
{
    int last = curve->count - 1;
    if (last >= 0 && !is_complete(&curve->point[last])) return &curve->point[last];
    need(DL_GROW(curve->point, curve->room, curve->count + 1));
    dl_learning_point *point = &curve->point[curve->count++];
    *point = (dl_learning_point){.pairs = NAN, .prioritized_pairs = NAN, .improved = NAN, .prioritized_improved = NAN};
    if (last >= 0) point->tokens = curve->point[last].tokens;
    return point;
}

static void add_epoch(dl_learning_curve *curve, const json_t *report)
{
    const json_t *validation = json_object_get(report, "validation"), *drafts = json_object_get(validation, "drafts"),
                 *prioritized = json_object_get(validation, "prioritized");
    dl_learning_point *point = open_point(curve);
    double tokens = number_at(report, "tokens_per_second") * number_at(report, "epoch_seconds");
    point->loss = (point->loss * point->span + number_at(report, "aux") * tokens) / (point->span + tokens);
    point->span += tokens;
    point->tokens += tokens;
    take(&point->pairs, drafts, "pairs_per_agent");
    take(&point->prioritized_pairs, prioritized, "pairs_per_agent");
    take(&point->improved, drafts, "improved_over_expert");
    take(&point->prioritized_improved, prioritized, "improved_over_expert");
}

/* "runs/d64.model.jsonl" is "d64". */
static char *curve_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    char *name = needed(dl_strdup(base));
    name[strcspn(name, ".")] = 0;
    return name;
}

static dl_status read_curve(const char *path, dl_learning_curve *curve, dl_error *err)
{
    dl_file file;
    DL_TRY(dl_file_read(path, &file, err));
    curve->name = curve_name(path);
    for (const char *line = file.data, *end = file.data + file.size; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((stop ? stop : end) - line);
        json_t *report = json_loadb(line, length, 0, NULL); /* a line cut short by a kill is left out */
        if (counts(report)) add_epoch(curve, report);
        json_decref(report);
        line += length + 1;
    }
    dl_file_free(&file);
    if (curve->count > 0) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: no epoch in it: expected the MODEL.jsonl of a training", path);
}

dl_status dl_learning_read(const char *const *paths, int count, dl_learning *out, dl_error *err)
{
    *out = (dl_learning){.curve = needed(DL_ARRAY(dl_learning_curve, count))};
    for (int i = 0; i < count; i++) {
        out->count++;
        DL_TRY(read_curve(paths[i], &out->curve[i], err));
    }
    return DIFFLNS_OK;
}

void dl_learning_free(dl_learning *learning)
{
    for (int i = 0; i < learning->count; i++) {
        free(learning->curve[i].name);
        free(learning->curve[i].point);
    }
    free(learning->curve);
    *learning = (dl_learning){0};
}

/* A law leads through the middle of its points: where the logarithms have their means. */
dl_learning_law dl_learning_extrapolate(const dl_learning_curve *curve, double tokens)
{
    int first = curve->count / 2, count = curve->count - first;
    double *x = needed(DL_ARRAY(double, count)), *y = needed(DL_ARRAY(double, count)), middle_x = 0, middle_y = 0;
    for (int i = 0; i < count; i++) {
        x[i] = curve->point[first + i].tokens;
        y[i] = curve->point[first + i].loss;
        middle_x += log(x[i]) / count;
        middle_y += log(y[i]) / count;
    }
    dl_learning_law law = {.exponent = dl_power_law(x, y, count)};
    law.loss = exp(middle_y + law.exponent.value * (log(tokens) - middle_x));
    free(x);
    free(y);
    return law;
}

static dl_status write_points(const dl_learning *learning, const char *folder, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, "results.csv", err));
    fputs("training,tokens,loss,pairs_per_agent,prioritized_pairs_per_agent,improved_over_expert,"
          "prioritized_improved_over_expert\n",
          out.stream);
    for (int i = 0; i < learning->count; i++)
        for (int k = 0; k < learning->curve[i].count; k++) {
            const dl_learning_point *p = &learning->curve[i].point[k];
            fprintf(out.stream, "%s,%.0f,%.4f", learning->curve[i].name, p->tokens, p->loss);
            dl_figure_write(out.stream, p->pairs, 4);
            dl_figure_write(out.stream, p->prioritized_pairs, 4);
            dl_figure_write(out.stream, p->improved, 4);
            dl_figure_write(out.stream, p->prioritized_improved, 4);
            fputc('\n', out.stream);
        }
    return dl_output_commit(&out, err);
}

static dl_status write_laws(const dl_learning *learning, const char *folder, dl_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open_inside(&out, folder, "summary.csv", err));
    fputs("training,tokens,loss,exponent,exponent_low,exponent_high,loss_at_paper_tokens\n", out.stream);
    for (int i = 0; i < learning->count; i++) {
        const dl_learning_curve *curve = &learning->curve[i];
        const dl_learning_point *last = &curve->point[curve->count - 1];
        dl_learning_law law = dl_learning_extrapolate(curve, DL_PAPER_TOKENS);
        fprintf(out.stream, "%s,%.0f,%.4f", curve->name, last->tokens, last->loss);
        dl_figure_write(out.stream, law.exponent.value, 4);
        dl_figure_write(out.stream, law.exponent.low, 4);
        dl_figure_write(out.stream, law.exponent.high, 4);
        dl_figure_write(out.stream, law.loss, 4);
        fputc('\n', out.stream);
    }
    return dl_output_commit(&out, err);
}

dl_status dl_learning_write(const dl_learning *learning, const char *folder, dl_error *err)
{
    DL_TRY(write_points(learning, folder, err));
    return write_laws(learning, folder, err);
}

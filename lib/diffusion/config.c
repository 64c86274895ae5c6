#include "diffusion/config.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"

typedef enum field_kind { INT_KIND, REAL_KIND, CHOICE_KIND, FLAG_KIND } field_kind;

typedef enum preset { PAPER, COMPACT, TOY, PRESETS } preset;
static const char *const PRESET_NAME[PRESETS] = {"paper", "compact", "toy"};

typedef struct field {
    const char *name;
    field_kind kind;
    size_t offset;
    double preset[PRESETS], low, high;
    const char *choices; /* "a|b" */
} field;

static const field FIELDS[] = {
#define GROUP(name)
#define END_GROUP(name)
#define INT_FIELD(group, name, paper, compact, toy, low, high)                                                         \
    {#name, INT_KIND, offsetof(dl_config, group.name), {paper, compact, toy}, low, high, NULL},
#define REAL_FIELD(group, name, paper, compact, toy, low, high)                                                        \
    {#name, REAL_KIND, offsetof(dl_config, group.name), {paper, compact, toy}, low, high, NULL},
#define CHOICE_FIELD(group, name, paper, compact, toy, choices)                                                        \
    {#name, CHOICE_KIND, offsetof(dl_config, group.name), {paper, compact, toy}, 0, 0, choices},
#define FLAG_FIELD(group, name, paper, compact, toy)                                                                   \
    {#name, FLAG_KIND, offsetof(dl_config, group.name), {paper, compact, toy}, 0, 1, NULL},
#include "diffusion/config.def"
#undef GROUP
#undef END_GROUP
#undef INT_FIELD
#undef REAL_FIELD
#undef CHOICE_FIELD
#undef FLAG_FIELD
};
enum { FIELD_COUNT = sizeof FIELDS / sizeof FIELDS[0] };

static void set(dl_config *config, const field *f, double value)
{
    void *place = (char *)config + f->offset;
    int *whole = place;
    double *number = place;
    bool *flag = place;
    switch (f->kind) {
    case INT_KIND:
    case CHOICE_KIND:
        *whole = (int)value;
        break;
    case REAL_KIND:
        *number = value;
        break;
    case FLAG_KIND:
        *flag = value != 0;
        break;
    }
}

static dl_config make_preset(preset which)
{
    dl_config config = {0};
    for (int i = 0; i < FIELD_COUNT; i++) set(&config, &FIELDS[i], FIELDS[i].preset[which]);
    return config;
}

dl_config dl_config_paper(void)
{
    return make_preset(PAPER);
}

dl_config dl_config_compact(void)
{
    return make_preset(COMPACT);
}

dl_config dl_config_toy(void)
{
    return make_preset(TOY);
}

/* True, and *out filled, if `name` is one. */
static bool find_preset(const char *name, dl_config *out)
{
    for (int i = 0; name && i < PRESETS; i++)
        if (strcmp(name, PRESET_NAME[i]) == 0) {
            *out = make_preset((preset)i);
            return true;
        }
    return false;
}

/* The choice numbered `index` of "a|b|c"; length 0 after the last. */
static const char *choice_at(const char *choices, int index, size_t *length)
{
    for (; index > 0 && choices; index--) {
        choices = strchr(choices, '|');
        if (choices) choices++;
    }
    *length = choices ? strcspn(choices, "|") : 0;
    return choices;
}

static dl_status set_from_json(const char *source, dl_config *config, const field *f, const json_t *value,
                               dl_error *err)
{
    if (f->kind == CHOICE_KIND) {
        const char *text = json_string_value(value), *choice;
        size_t length;
        for (int i = 0; text && (choice = choice_at(f->choices, i, &length)) != NULL && length > 0; i++)
            if (strlen(text) == length && memcmp(text, choice, length) == 0) {
                set(config, f, i);
                return DIFFLNS_OK;
            }
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %s: expected one of %s", source, f->name, f->choices);
    }
    if (f->kind == FLAG_KIND) {
        if (!json_is_boolean(value))
            return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %s: expected true or false", source, f->name);
        set(config, f, json_is_true(value));
        return DIFFLNS_OK;
    }
    double number = json_number_value(value);
    bool right_type = f->kind == INT_KIND ? json_is_integer(value) : json_is_number(value);
    if (!right_type || !(number >= f->low && number <= f->high))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %s: expected %s from %g to %g", source, f->name,
                       f->kind == INT_KIND ? "an integer" : "a number", f->low, f->high);
    set(config, f, number);
    return DIFFLNS_OK;
}

static const field *find_field(const char *name)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (strcmp(FIELDS[i].name, name) == 0) return &FIELDS[i];
    return NULL;
}

/* Hyper-parameters that are gone, with the value at which they changed nothing: there, they are read and ignored. Those
 * of training may have any value in weights, which are what they are. */
static const struct retired {
    const char *name;
    double number; /* of a number or a flag */
    const char *choice;
    bool of_training;
} RETIRED[] = {
    {"tokens", 0, "absolute", false},       {"self_conditioning", 0, NULL, false}, {"token_levels", 0, NULL, false},
    {"path_choice", 0, "likeliest", false}, {"wait_weight", 1, NULL, true},        {"level_lean", 0, NULL, true},
    {"rate_decay", 0, NULL, true},          {"span_share", 0, NULL, true},         {"own_share", 0, NULL, true},
};

static bool is_retired(const char *name, const json_t *value, bool in_weights)
{
    for (size_t i = 0; i < sizeof RETIRED / sizeof *RETIRED; i++) {
        const struct retired *r = &RETIRED[i];
        if (strcmp(r->name, name) != 0) continue;
        if (in_weights && r->of_training) return true;
        if (r->choice) return json_is_string(value) && strcmp(json_string_value(value), r->choice) == 0;
        return json_is_boolean(value) ? json_is_true(value) == (r->number != 0)
                                      : json_is_number(value) && json_number_value(value) == r->number;
    }
    return false;
}

static dl_status from_object(const char *source, const json_t *object, bool in_weights, dl_config *out, dl_error *err)
{
    if (!json_is_object(object))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected a JSON object of hyper-parameters", source);
    *out = dl_config_compact();
    const json_t *base = json_object_get(object, "base");
    if (base && !find_preset(json_string_value(base), out))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: base: expected one of paper|compact|toy", source);
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)object, name, value)
    {
        if (strcmp(name, "base") == 0 || is_retired(name, value, in_weights)) continue;
        const field *f = find_field(name);
        if (!f) return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: %.60s: unknown hyper-parameter", source, name);
        DL_TRY(set_from_json(source, out, f, value, err));
    }
    if (out->network.width % (out->network.heads * DL_HEAD_UNIT) != 0)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: heads: expected width %d to be a multiple of %d times the heads",
                       source, out->network.width, DL_HEAD_UNIT);
    if (out->network.neighbors_min > out->network.neighbors_max)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: neighbors_min: expected at most neighbors_max", source);
    return DIFFLNS_OK;
}

static dl_status parse_text(const char *source, const char *json, bool in_weights, dl_config *out, dl_error *err)
{
    json_error_t trouble;
    json_t *object;
    dl_status parsed = dl_json_parse(json, strlen(json), &object, &trouble);
    if (parsed == DIFFLNS_OUT_OF_MEMORY) return dl_out_of_memory(err);
    if (parsed != DIFFLNS_OK) return dl_fail(err, parsed, "%s:%d: %s", source, trouble.line, trouble.text);
    dl_status status = from_object(source, object, in_weights, out, err);
    json_decref(object);
    return status;
}

dl_status dl_config_parse(const char *source, const char *json, dl_config *out, dl_error *err)
{
    return parse_text(source, json, false, out, err);
}

dl_status dl_config_parse_weights(const char *source, const char *json, dl_config *out, dl_error *err)
{
    return parse_text(source, json, true, out, err);
}

dl_status dl_config_load(const char *name, dl_config *out, dl_error *err)
{
    if (find_preset(name, out)) return DIFFLNS_OK;
    dl_file file;
    DL_TRY(dl_file_read(name, &file, err));
    dl_status status = dl_config_parse(name, file.data, out, err);
    dl_file_free(&file);
    return status;
}

static json_t *field_value(const field *f, const void *place)
{
    const int *whole = place;
    const double *number = place;
    const bool *flag = place;
    switch (f->kind) {
    case INT_KIND:
        return json_integer(*whole);
    case REAL_KIND:
        return json_real(*number);
    case FLAG_KIND:
        return json_boolean(*flag);
    case CHOICE_KIND: {
        size_t length;
        const char *choice = choice_at(f->choices, *whole, &length);
        return json_stringn(choice, length);
    }
    }
    return NULL;
}

json_t *dl_config_json(const dl_config *config)
{
    json_t *object = json_object();
    for (int i = 0; object && i < FIELD_COUNT; i++) {
        if (json_object_set_new(object, FIELDS[i].name,
                                field_value(&FIELDS[i], (const char *)config + FIELDS[i].offset)) == 0)
            continue;
        json_decref(object);
        object = NULL;
    }
    return object;
}

void dl_config_write(const dl_config *config, dl_text *out)
{
    dl_json_add(out, dl_config_json(config), JSON_REAL_PRECISION(17)); /* every bit of a number comes back */
}

dl_feature_layout dl_config_features(const dl_config *config)
{
    enum { OCCUPANCY = 2 * DL_ACTIONS };
    dl_feature_layout layout = {.noisy = 0, .count = DL_ACTIONS, .inferred = -1, .cost = -1, .occupancy = -1};
    if (config->network.trajectory == DL_TRAJECTORY_MAP) {
        layout.inferred = layout.count;
        layout.count += DL_ACTIONS;
    }
    if (config->network.cost_to_go) {
        layout.cost = layout.count;
        layout.count += DL_ACTIONS;
    }
    if (config->network.occupancy) {
        layout.occupancy = layout.count;
        layout.count += OCCUPANCY;
    }
    return layout;
}

/* Every hyper-parameter of network, diffusion and training. A model file carries all of them. */
#ifndef DL_DIFFUSION_CONFIG_H
#define DL_DIFFUSION_CONFIG_H

#include <stdbool.h>

#include <jansson.h>

#include "base/status.h"
#include "base/text.h"
#include "mapf/grid.h"

enum { DL_TRAJECTORY_PAPER, DL_TRAJECTORY_MAP };
enum { DL_ATTENTION_SPARSE, DL_ATTENTION_DENSE };

/* The width of an attention head is a multiple of this: kernels work on whole vectors. */
enum { DL_HEAD_UNIT = 8 };

typedef struct dl_config {
#define GROUP(name) struct dl_##name##_config {
#define END_GROUP(name)                                                                                                \
    }                                                                                                                  \
    name;
#define INT_FIELD(group, name, paper, compact, toy, low, high)  int name;
#define REAL_FIELD(group, name, paper, compact, toy, low, high) double name;
#define CHOICE_FIELD(group, name, paper, compact, toy, choices) int name;
#define FLAG_FIELD(group, name, paper, compact, toy)            bool name;
#include "diffusion/config.def"
#undef GROUP
#undef END_GROUP
#undef INT_FIELD
#undef REAL_FIELD
#undef CHOICE_FIELD
#undef FLAG_FIELD
} dl_config;

dl_config dl_config_paper(void);
dl_config dl_config_compact(void);
dl_config dl_config_toy(void);

/* `name` is paper, compact, toy, or a JSON file: an object of fields, "base" names the preset of those not given. */
dl_status dl_config_load(const char *name, dl_config *out, dl_error *err);
/* The same from text; `source` is for messages. Unknown names, wrong types and values out of range are refused. */
dl_status dl_config_parse(const char *source, const char *json, dl_config *out, dl_error *err);
/* The configuration of weights: fields of training that are gone may have any value. */
dl_status dl_config_parse_weights(const char *source, const char *json, dl_config *out, dl_error *err);
/* An object with every field; NULL when memory is out. */
json_t *dl_config_json(const dl_config *config);
/* The same as text; dl_config_parse gives back the same configuration, bit for bit. */
void dl_config_write(const dl_config *config, dl_text *out);

/* Where each part of a token's feature row begins; -1 for parts the configuration leaves out. */
typedef struct dl_feature_layout {
    int noisy;     /* 5: the noisy token x_k, a distribution */
    int inferred;  /* 5: one-hot action of the MAP path at this timestep */
    int cost;      /* 5: change of the distance to the goal by each action at the inferred position */
    int occupancy; /* 10: other agents' inferred positions on the cells the five actions lead to, at tau, then tau + 1
                    */
    int count;     /* width of the row */
} dl_feature_layout;

dl_feature_layout dl_config_features(const dl_config *config);

#endif

/* The parts of the denoising network, each with a forward and a backward function; denoiser.c strings them together.
 * Only denoiser*.c include this. Everything takes its memory from an arena and answers NULL or false when there is none
 * left; the arena is then rewound by the one who began. */
#ifndef DL_DIFFUSION_DENOISER_PARTS_H
#define DL_DIFFUSION_DENOISER_PARTS_H

#include "diffusion/denoiser.h"
#include "nn/deformable_sampling.h"
#include "nn/linear.h"

enum { DL_MAP_CHANNELS = 3, DL_PLACES = 3, DL_SUBLAYERS = 4 };

/* The four residual updates of an interaction block, in order. */
typedef enum dl_sublayer { DL_TEMPORAL, DL_SOCIAL, DL_SENSING, DL_FEED_FORWARD } dl_sublayer;

typedef struct dl_interaction_layers {
    dl_linear modulation; /* psi_ada: agent-wise condition to gain and shift of each sublayer's AdaLN */
    dl_linear temporal_qkv, temporal_out;
    dl_linear social_qkv, social_out;
    size_t geometric_bias; /* b_theta: ((2 bias_radius + 1)^2, heads) */
    dl_linear sites;       /* W_delta and W_omega */
    size_t radius;         /* r_0, in cells */
    dl_linear sensed_out;
    dl_linear widen, narrow; /* the feed-forward network */
} dl_interaction_layers;

struct dl_denoiser {
    dl_config config;
    dl_feature_layout features;
    int tensors, tensor_capacity;
    bool starved; /* memory was out while the table grew */
    dl_tensor *tensor;
    size_t parameters;

    dl_linear step, map_size, density; /* phi_k, phi_m, phi_rho */
    dl_linear global[2];               /* psi_g, two layers */
    dl_linear place[DL_PLACES][2];     /* phi_s, phi_g, phi_r, two layers each */
    dl_linear agent[2];                /* psi_n, two layers */
    dl_linear gate;                    /* psi_scale */
    dl_linear token;                   /* phi_a, over the whole feature row */
    dl_linear clock;                   /* of the temporal encoding */
    dl_linear convolution[DL_MAX_LEVELS], film[DL_MAX_LEVELS], project[DL_MAX_LEVELS];
    dl_interaction_layers *block;
    size_t head_norm; /* gain and shift of the last layer norm */
    dl_linear head;
};

/* Condition encoding. Rows of `agent_input` are [c_g, phi_s, phi_g, phi_r]. */
typedef struct dl_condition {
    real *step_code;                                  /* (Dc): PE(k) */
    real *sizes;                                      /* (2), log of the map's size, then rho */
    real *global_input;                               /* (2 Dc) */
    real *global_hidden;                              /* (Dc), before GELU */
    real *global;                                     /* (Dc): c_g */
    real *place[DL_PLACES], *place_hidden[DL_PLACES]; /* (N, 2), (N, D) before GELU */
    real *agent_input;                                /* (N, Dc + 3 D) */
    real *agent_hidden;                               /* (N, Dc), before GELU */
    real *agent;                                      /* (N, Dc): c_i */
    real gate[DL_MAX_LEVELS + 32];                    /* eta; the padding serves softmax */
} dl_condition;

typedef struct dl_condition_gradient {
    real *global; /* (Dc) */
    real *agent;  /* (N, Dc) */
    real gate[DL_MAX_LEVELS + 32];
    real *tokens; /* (N*T, D): of the initial denoising tokens */
} dl_condition_gradient;

DL_MUST_CHECK dl_condition *dl_condition_forward(const dl_denoiser *net, const real *parameters,
                                                 const dl_denoiser_input *input, dl_arena *arena);
/* Initial denoising tokens, (N*T, D). */
DL_MUST_CHECK bool dl_tokens_forward(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                                     const dl_condition *condition, real *tokens, dl_arena *arena);
/* Backward of both. */
DL_MUST_CHECK bool dl_condition_backward(const dl_denoiser *net, const real *parameters, const dl_denoiser_input *input,
                                         const dl_condition *condition, dl_condition_gradient *d, real *gradient,
                                         dl_arena *arena);

/* The environment feature pyramid. */
typedef struct dl_pyramid {
    dl_level level[DL_MAX_LEVELS];   /* F^(s), (cells, D) */
    real *patches[DL_MAX_LEVELS];    /* input of each convolution */
    real *convolved[DL_MAX_LEVELS];  /* (cells, pyramid_width), before FiLM */
    real *modulation[DL_MAX_LEVELS]; /* (2 pyramid_width) */
    real *fused[DL_MAX_LEVELS];      /* (cells, pyramid_width), after FiLM, GELU and upsampling */
} dl_pyramid;

DL_MUST_CHECK dl_pyramid *dl_pyramid_forward(const dl_denoiser *net, const real *parameters,
                                             const dl_denoiser_input *input, const dl_condition *condition,
                                             dl_arena *arena);
/* Reads level[].gradient; adds to d->global. */
DL_MUST_CHECK bool dl_pyramid_backward(const dl_denoiser *net, const real *parameters, const dl_condition *condition,
                                       const dl_pyramid *pyramid, dl_condition_gradient *d, real *gradient,
                                       dl_arena *arena);

/* What one sublayer keeps: over all tokens for backward, over one chunk of them when nothing is kept. */
typedef struct dl_sublayer_pass {
    real *input;       /* (tokens, D): the residual stream before the update */
    real *statistics;  /* (tokens, 2) of AdaLN */
    real *normal;      /* (tokens, D): after AdaLN */
    real *projected;   /* (tokens, 3 D) queries, keys, values | (tokens, sites) | (tokens, feed_forward) before GELU */
    real *probability; /* (tokens, heads, keys); attention only */
    real *mixed;       /* (tokens, D): what is projected back; not of the feed-forward network */
} dl_sublayer_pass;

typedef struct dl_interaction_pass {
    real *modulation; /* (N, 8 D) */
    dl_sublayer_pass sublayer[DL_SUBLAYERS];
} dl_interaction_pass;

/* Everything a block needs beside its own parameters. */
typedef struct dl_interaction_context {
    const dl_denoiser *net;
    const real *parameters;
    const dl_denoiser_input *input;
    const dl_condition *condition;
    const dl_pyramid *pyramid;
    const real *spread; /* (N*T): 1 + 0.2 e */
    dl_arena *arena;
    int threads;      /* that share a forward pass which keeps nothing */
    dl_arena *worker; /* [threads], unless there is but one */
} dl_interaction_context;

/* Updates the residual stream x (N*T, D) in place; keeps what backward needs in *keep, unless keep is NULL. */
DL_MUST_CHECK bool dl_interaction_forward(const dl_interaction_context *context, const dl_interaction_layers *layers,
                                          real *x, dl_interaction_pass *keep);
/* dx (N*T, D): gradient of the output becomes that of the input. */
DL_MUST_CHECK bool dl_interaction_backward(const dl_interaction_context *context, const dl_interaction_layers *layers,
                                           const dl_interaction_pass *pass, real *dx, dl_condition_gradient *d,
                                           real *gradient);
/* Operations of the matrix products of one block's forward pass. */
double dl_interaction_flops(const dl_denoiser *net, const dl_interaction_layers *layers,
                            const dl_denoiser_input *input);

static inline double dl_linear_flops(const dl_linear *layer, double rows)
{
    return 2.0 * rows * layer->in * layer->out;
}

#endif

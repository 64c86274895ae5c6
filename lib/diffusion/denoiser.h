/* The denoising network (paper, appendix "Model and Diffusion Configuration"): logits of the clean tokens from the
 * noisy ones and the instance. A call works on one sample, with one thread unless asked for more; nothing here is
 * shared but the parameters, so samples run in parallel. All parameters lie in one vector, cut by a table of named
 * tensors. */
#ifndef DL_DIFFUSION_DENOISER_H
#define DL_DIFFUSION_DENOISER_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/deadline.h"
#include "diffusion/config.h"
#include "nn/real.h"

typedef struct dl_tensor {
    char name[48];
    int rows, columns; /* columns 1 for a vector */
    size_t offset;     /* into the parameter vector */
    bool decays;       /* weight decay applies: matrices, not biases and gains */
} dl_tensor;

typedef struct dl_denoiser dl_denoiser;

/* `config` must be valid (dl_config_parse or a preset). Immutable once made. NULL when memory is out. */
DL_MUST_CHECK dl_denoiser *dl_denoiser_create(const dl_config *config);
void dl_denoiser_free(dl_denoiser *net);
size_t dl_denoiser_parameters(const dl_denoiser *net);
int dl_denoiser_tensors(const dl_denoiser *net);
const dl_tensor *dl_denoiser_tensor(const dl_denoiser *net, int index);
/* Fills `parameters` with the starting point of training. */
void dl_denoiser_initialize(const dl_denoiser *net, uint64_t seed, real *parameters);

/* One sample. Positions are in cells, (row, column), fractional allowed; the network normalizes them itself. */
typedef struct dl_denoiser_input {
    int agents, horizon;      /* N, T */
    int step;                 /* k, 1..K */
    const real *features;     /* [N*T*F], rows as dl_config_features lays them out */
    const real *position;     /* [N*T*2], the inferred trajectory */
    const real *entropy;      /* [N*T], of the token's distribution, normalized to 0..1 */
    int neighbors;            /* entries of a row of `neighbor` */
    const int32_t *neighbor;  /* [N*neighbors], the agent itself included; -1 is an empty place */
    const real *start, *goal; /* [N*2] */
    int height, width;
    int free_cells;
    const real *map;             /* [height*width*3]: obstacle, free, goal of any agent */
    const dl_deadline *deadline; /* may be NULL; inference looks at it often and gives up after it */
    dl_status status;            /* not OK: why this could not be made; the network answers the same */
} dl_denoiser_input;

/* What a forward pass leaves behind. Lives in the arena. */
typedef struct dl_denoiser_pass dl_denoiser_pass;

/* Logits only, [N*T*C], written to `logits`; the arena is left as it was. STOPPED, with the logits as they were, if the
 * input's deadline passed meanwhile; OUT_OF_MEMORY likewise. */
DL_MUST_CHECK dl_status dl_denoiser_infer(const dl_denoiser *net, const real *parameters,
                                          const dl_denoiser_input *input, real *logits, dl_arena *arena);
/* The same, bit for bit, by several threads: for one large sample where there are not enough samples to share out. */
DL_MUST_CHECK dl_status dl_denoiser_infer_together(const dl_denoiser *net, const real *parameters,
                                                   const dl_denoiser_input *input, real *logits, dl_arena *arena,
                                                   int threads);

/* The same logits, keeping what backward needs in the arena: rewind it after backward. `input` must stay alive. NULL
 * when memory is out. */
DL_MUST_CHECK dl_denoiser_pass *dl_denoiser_forward(const dl_denoiser *net, const real *parameters,
                                                    const dl_denoiser_input *input, dl_arena *arena);
const real *dl_denoiser_logits(const dl_denoiser_pass *pass);
/* Adds the gradient of the loss with respect to every parameter to `gradient`, given that with respect to the logits.
 * Inputs get no gradient: they are data. False when memory is out: the gradient then is nonsense. */
DL_MUST_CHECK bool dl_denoiser_backward(const dl_denoiser *net, const real *parameters, dl_denoiser_pass *pass,
                                        const real *logit_gradient, real *gradient, dl_arena *arena);

/* Floating-point operations of the matrix products of one forward pass (bench: share of GEMM peak). */
double dl_denoiser_flops(const dl_denoiser *net, const dl_denoiser_input *input);

#endif

/* The kernels under their plain names: each calls the copy for the instruction set in use. */
#include "base/isa.h"
#include "nn/activation.h"
#include "nn/adamw.h"
#include "nn/convolution.h"
#include "nn/deformable_sampling.h"
#include "nn/gemm.h"
#include "nn/layer_norm.h"
#include "nn/sparse_attention.h"
#include "nn/temporal_attention.h"

#define PER_ISA DL_CALL_PER_ISA
#include "nn/per_isa.def"

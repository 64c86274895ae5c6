/* The board engine under its plain names: each calls the copy for the instruction set in use. A planner keeps the copy
 * that made it, since its operations are functions of that copy. */
#include "base/isa.h"
#include "search/layers.h"
#include "search/occupancy.h"
#include "search/sweep.h"

#define PER_ISA DL_CALL_PER_ISA
#include "search/per_isa.def"

/* The board engine under its plain names: each calls the copy for the instruction set in use. A planner keeps the copy
 * that made it, since its operations are functions of that copy. */
#include "base/isa.h"
#include "engine/boards/layers.h"
#include "engine/boards/occupancy.h"
#include "engine/boards/sweep.h"

#define PER_ISA DL_CALL_PER_ISA
#include "engine/boards/per_isa.def"

/* Demonstrations in memory, compactly: a byte per agent and timestep. */
#ifndef DL_DIFFUSION_EXAMPLES_H
#define DL_DIFFUSION_EXAMPLES_H

#include "base/memory.h"
#include "mapf/plan.h"

typedef struct dl_example {
    int height, width;
    uint8_t *blocked; /* [height*width] */
    int agents;
    int32_t *start, *goal; /* [agents], row*width + column */
    int length;            /* the plan's makespan */
    uint8_t *action;       /* [agents*length] */
    int earlier_length;    /* the same of the plan before */
    uint8_t *earlier;      /* NULL: there is none */
} dl_example;

typedef struct dl_examples {
    dl_example *at;
    int count, capacity;
} dl_examples;

/* Copies a valid plan, and the one it came from (NULL: none is known); a zeroed dl_examples is empty. False when memory
 * is out: nothing is added. */
DL_MUST_CHECK bool dl_examples_add(dl_examples *examples, const dl_instance *instance, const dl_plan *plan,
                                   const dl_plan *earlier);
void dl_examples_free(dl_examples *examples);
/* Adds every demonstration of a file, in its order. On failure nothing is added. threads = 0: all cores. */
dl_status dl_examples_load(dl_examples *examples, const char *path, int threads, dl_error *err);

/* A way to look at an example: one of the eight symmetries of the square, seen from `first` on. */
typedef struct dl_example_view {
    int symmetry; /* 0..7: bit 0 mirrors columns, bit 1 mirrors rows, bit 2 then exchanges rows and columns */
    int first;    /* timestep; the agents start where they are at that time */
    bool earlier; /* the earlier plan; only from its beginning, where both agree on the starts */
} dl_example_view;

/* The instance as seen, the caller's to free. NULL when memory is out. */
DL_MUST_CHECK dl_instance *dl_example_instance(const dl_example *example, dl_example_view view);
/* The cells [agents*(horizon+1)] of the plan as seen; after its end agents stay. `instance` is that of the same view.
 */
void dl_example_cells(const dl_example *example, dl_example_view view, const dl_instance *instance, int horizon,
                      dl_cell *cells);

#endif

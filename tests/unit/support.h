/* Shared by the unit tests: cmocka, small worlds from strings, random instances. */
#ifndef DL_TESTS_SUPPORT_H
#define DL_TESTS_SUPPORT_H

/* cmocka needs these before it, in this order. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "mapf/instance.h"
#include "mapf/plan.h"

/* A grid from rows separated by '/': '@' or '#' blocked, anything else free. */
dl_grid *test_grid(const char *rows);
/* An instance on such a grid; `tasks` holds start_row, start_col, goal_row, goal_col for each agent. */
dl_instance *test_instance(const char *rows, int agents, const int tasks[][4]);
/* A random instance: height x width, each cell blocked with probability `density`; starts and goals distinct and each
 * pair connected. NULL if it does not fit. */
dl_instance *test_random_instance(dl_rng *rng, int height, int width, double density, int agents);
/* An instance of one of the generator's families. */
dl_instance *test_preset_instance(const char *family, int agents, uint64_t seed);

#endif

/* The truth about small instances: Dijkstra over joint states, errands and all. Written for tests, after nothing in the
 * library. */
#ifndef DL_TESTS_SUPPORT_JOINT_H
#define DL_TESTS_SUPPORT_JOINT_H

#include "mapf/instance.h"

enum { JOINT_MOST_AGENTS = 3, JOINT_MOST_CELLS = 9 };

/* The least sum of costs of any plan; -1 if there is none. */
int joint_least_cost(const dl_instance *instance);

#endif

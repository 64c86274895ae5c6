/* Executing a plan by its dependencies, however late anybody is. For tools. */
#ifndef DL_ORDER_EXECUTE_H
#define DL_ORDER_EXECUTE_H

#include "order/dependencies.h"

/* Who steps in this instant: the largest set of agents that are not delayed and whose dependencies are met before or
 * in the same instant. `progress` holds the steps each agent has made, 0 to all of its steps; `delayed` may be NULL.
 * Sets moves[agent] to 1 or 0 and returns how many move. All of them must: some enter cells that others leave now. */
int dl_execute(const dl_dependencies *dependencies, const int32_t *progress, const uint8_t *delayed, uint8_t *moves);

#endif

/* Peel-order push-and-swap: a complete solver. Goals are settled in an order that keeps the rest of the map connected,
 * so no agent ever has to pass a settled one; who is in the way is pushed aside, and where that is impossible, swapped.
 */
#ifndef DL_COMPLETE_PUSH_AND_SWAP_H
#define DL_COMPLETE_PUSH_AND_SWAP_H

#include "base/deadline.h"
#include "base/rng.h"
#include "complete/swap.h"

/* Stopped: time or memory (the pebbles are exhausted then) is out. */
typedef enum dl_push_outcome { DL_PUSH_SOLVED, DL_PUSH_STUCK, DL_PUSH_STOPPED } dl_push_outcome;

/* Plans from where the pebbles stand to the goals; the moves are appended to their log. `rng` varies the order. */
dl_push_outcome dl_push_and_swap(dl_swapper *swapper, const dl_cell *goal, dl_rng *rng, const dl_deadline *deadline);

#endif

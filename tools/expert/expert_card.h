/* The card of a demonstration file: what is in it, for people and scripts. */
#ifndef DL_EXPERT_EXPERT_CARD_H
#define DL_EXPERT_EXPERT_CARD_H

#include "diffusion/demos.h"

/* Writes `path`.card.json: counts per family and team size, cost over lower bound, makespans, origin. */
dl_status dl_expert_write_card(const char *path, const dl_demos *demos, dl_error *err);

#endif

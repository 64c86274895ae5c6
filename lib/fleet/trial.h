/* A trial: the fleet as it stands now, simulated with each of the rules of guidance in turn, robots going on to goals
 * that the fleet was given before. It advances tick by tick, so that it fits into the time that plans leave. Large maps
 * are tried on a part of them. */
#ifndef DL_FLEET_TRIAL_H
#define DL_FLEET_TRIAL_H

#include "fleet/fleet.h"

typedef struct dl_trial dl_trial;

/* NULL when memory is out or there is nothing to be tried. */
dl_trial *dl_trial_create(const dl_fleet *fleet);
void dl_trial_free(dl_trial *trial);
/* Simulates one tick; true when all rules have been tried. False from then on when memory is out. */
bool dl_trial_step(dl_trial *trial, dl_status *status);
/* Which of DL_GUIDANCE_RULES served best. After the last step. */
int dl_trial_winner(const dl_trial *trial);
/* How long a step took at most, in seconds. */
double dl_trial_longest_step(const dl_trial *trial);

#endif

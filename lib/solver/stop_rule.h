/* When a solve hands its plan over. It goes on lowering the cost as long as that pays: a plan is settled when it got
 * less than 1 % cheaper during the last third of what was spent so far, and enough has gone into lowering its cost.
 * What is spent is time, or iterations where those are limited, so that runs stay repeatable. For tools. */
#ifndef DL_SOLVER_STOP_RULE_H
#define DL_SOLVER_STOP_RULE_H

#include <stdbool.h>
#include <stdint.h>

#define DL_STOP_CHOICES "first|settled|limit"
typedef enum dl_stop { DL_STOP_FIRST, DL_STOP_SETTLED, DL_STOP_LIMIT } dl_stop;

/* What has to go into lowering the cost before a plan can be settled: half a second, or what a thread makes of it on
 * the paper's boards. */
#define DL_SETTLED_SECONDS    0.5
#define DL_SETTLED_ITERATIONS 40000

/* The best plan cost `soc` from when so much was spent. */
typedef struct dl_milestone {
    double spent;
    int64_t soc;
} dl_milestone;

/* Milestones less than 1 % of what was spent apart count as one: so few of them cover the last third. */
enum { DL_MILESTONES = 64 };

typedef struct dl_stop_rule {
    dl_stop stop;
    double least; /* that has to go into lowering the cost */
    double first; /* what was spent before there was a plan */
    int count;
    dl_milestone history[DL_MILESTONES]; /* [count]: as far back as it matters */
} dl_stop_rule;

void dl_stop_rule_begin(dl_stop_rule *rule, dl_stop stop, double least);
/* The best plan costs `soc` now. What is no cheaper than what is known changes nothing. */
void dl_stop_rule_note(dl_stop_rule *rule, double spent, int64_t soc);
/* From now on another plan is worked on, which may become the best one: it is given as long as a plan found now. */
void dl_stop_rule_renew(dl_stop_rule *rule, double spent);
/* Is it time to hand the plan over? Never without one. */
bool dl_stop_rule_is_met(const dl_stop_rule *rule, double spent);

#endif

/* A race of descents. Descents from different starts end several percent apart, whatever kicks (iterated.h) do later.
 * So once the champion, the plan to go on from, gains little, it is challenged by fresh starts: ways that keep out of
 * each other's (traffic.h), repaired and improved like any plan, or on full boards other plans of LaCAM's. A challenger
 * that costs more than the champion did at the same age is given up; one that is cheaper than the champion takes its
 * place. Ages are counted in searches, so a run limited by iterations is repeatable. For tools. */
#ifndef DL_LNS_RACE_H
#define DL_LNS_RACE_H

#include "lns/iterated.h"

enum { DL_RACE_LEVELS = 40 }; /* ages double from one level to the next */

/* When there are challenges. */
typedef enum dl_challenges {
    DL_CHALLENGES_NEVER,
    DL_CHALLENGES_STALLED, /* while the champion gains little */
    DL_CHALLENGES_EARLY,   /* one after the other, as soon as there is an age to compare at */
    DL_CHALLENGES_AT_ONCE  /* the first before any plan is improved: where another thread does that */
} dl_challenges;

/* Which descent will end lowest shows early, and to try one takes as long as the repair of its start and a few tenths
 * of a second: so early challenges have this share of a run, its time or its iterations, and then the caller's policy
 * is STALLED. */
#define DL_EARLY_SHARE 0.12

typedef struct dl_race {
    dl_iterated iterated; /* the search that is under way: the champion's or the challenger's */
    dl_challenges policy; /* the caller's to change */
    dl_fresh_start fresh; /* what challengers begin with: the caller's to set after dl_race_begin, as the next */
    bool keeps_starts;
    bool is_challenge;
    dl_plan *start,
        *challenger_start; /* the paths that the winner of the last challenge grew from; NULL = nobody won */
    uint64_t born;         /* searches when what is under way was of age 0 */
    int level;             /* the next one it comes to */
    int64_t champion_at[DL_RACE_LEVELS]; /* [levels]: the champion's cost at each level's age */
    int levels;                          /* ... as far as it has come */
    uint64_t rounds;                     /* of the search, at the last look */
    uint64_t challenged;                 /* searches that challengers got */
    uint64_t pause;                      /* searches before which there is no challenge */
    int failures;                        /* starts in a row that could not be repaired */
    uint64_t challenges, won;
    /* In a challenge: */
    dl_snapshot champion; /* the plan to go back to */
    dl_lessons lessons;   /* ... and what it has learned */
    uint64_t champion_born, challenge_began;
    int64_t challenger_at[DL_RACE_LEVELS]; /* [level]: the challenger's cost at each level's age */
} dl_race;

/* Without challenges it is dl_iterated and no more. False when memory is out; end it all the same. */
DL_MUST_CHECK bool dl_race_begin(dl_race *r, dl_planner *planner, const dl_iterated_options *options,
                                 dl_challenges policy);
void dl_race_end(dl_race *r);

/* As with dl_iterated: starts from the planner's table, runs, goes on from somebody else's plan. */
DL_MUST_CHECK bool dl_race_start(dl_race *r, uint64_t seed, uint64_t index);
void dl_race_run(dl_race *r, uint64_t iterations, const dl_deadline *deadline);
DL_MUST_CHECK bool dl_race_adopt(dl_race *r, const dl_track *track, int64_t soc, const dl_deadline *deadline);

/* The best plan so far; its cost never rises. */
const dl_snapshot *dl_race_best(const dl_race *r);

#endif

/* Destroy: which agents to replan together. Three neighborhoods for repair (collision, target, random; MAPF-LNS2) and
 * three for improvement (random walk, intersection, random; MAPF-LNS), chosen by adaptive weights. */
#ifndef DL_LNS_DESTROY_H
#define DL_LNS_DESTROY_H

#include "engine/planner.h"
#include "lns/conflict_graph.h"
#include "lns/corridor.h"

enum { DL_MOST_STRATEGIES = 16 };
/* Agents replanned together: the published size, and as many as pay (docs/ablation.md). */
enum { DL_NEIGHBORS = 8 };
/* ... and where lateness is always kept (repair.h). */
enum { DL_FEW_NEIGHBORS = 3 };

typedef struct dl_destroy {
    dl_planner *planner;     /* not owned */
    dl_conflicts *conflicts; /* not owned; NULL when improving */
    dl_rng *rng;             /* not owned */
    int size;                /* how many agents the next neighborhood should have: the caller's to draw */
    int most;                /* ... at most */
    int32_t *chosen;         /* the neighborhood: [count] */
    int count;
    uint32_t *mark; /* [agents]: chosen when equal to stamp */
    uint32_t stamp;
    int strategies; /* how many there are for this work */
    double weight[DL_MOST_STRATEGIES];
    int32_t *list;         /* [agents]: scratch */
    dl_corridor *corridor; /* scratch of the target neighborhood's search, and of that for junctions */
    dl_cell *junction;     /* cells with three or more neighbors: [junctions]; only when improving */
    int junctions;
    uint8_t *tabu; /* [agents]: delayed agents that had their turn */
    int tabu_count;
    int seed;          /* the delayed agent the neighborhood at hand grew from; -1 = it grew from something else */
    uint16_t *in_vain; /* [agents]: neighborhoods that grew from the agent since one of them last gained; only when
                          improving */
    int32_t *shortest; /* [agents]: the least each agent can cost; only when improving */
    const dl_deadline *deadline; /* of the choice at hand; not owned */
} dl_destroy;

/* `size` is clamped to the number of agents. False when memory is out; end it all the same. */
DL_MUST_CHECK bool dl_destroy_begin(dl_destroy *d, dl_planner *planner, dl_conflicts *conflicts, dl_rng *rng, int size);
void dl_destroy_end(dl_destroy *d);

/* Forgets what was learned so far. */
void dl_destroy_restart(dl_destroy *d);

/* Draws a strategy by weight. */
int dl_destroy_draw_strategy(const dl_destroy *d);
/* Moves the strategy's weight by `rate` toward `reward`. */
void dl_destroy_reward(dl_destroy *d, int strategy, double rate, double reward);
/* What the last neighborhood came to: delayed agents around whom nothing gains are chosen less often. */
void dl_destroy_note(dl_destroy *d, bool gained);

/* Fills d->chosen; false if this strategy finds nothing to do, or time (NULL: no limit) is out. For repair there must
 * be a colliding pair, and at least one agent is chosen. */
bool dl_destroy_choose(dl_destroy *d, int strategy, const dl_deadline *deadline);
/* Fills d->chosen for improvement with agents whose ways touch this one's; false as above. */
bool dl_destroy_near(dl_destroy *d, int agent, const dl_deadline *deadline);

#endif

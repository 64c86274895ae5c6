/* The planner: a table of the agents' current paths, and the search for one agent's path through it. Repair and
 * improvement know nothing else of it, so maps of any size run through the same loops. Two engines lie behind the
 * table of operations: bitboards (sweep.h) for small dense maps, pooled SIPPS (sipps.h) for large ones.
 *
 * Each agent has two tracks, `track` (its current path) and `spare`. The way of one replan:
 *
 *     dl_planner_remove(p, a);                        take the current path out of the table
 *     if (dl_planner_plan(p, a, &request) >= 0)       the new path is in p->spare[a]; the table has not changed
 *         dl_planner_adopt(p, a);                     track and spare change places, and the new track goes in
 *     ... and to take it back: remove, exchange, put_back.
 *
 * One planner belongs to one thread; the instance and the distances behind it are shared. Engines allocate only to
 * grow: a warmed-up planner allocates nothing. When memory is out, searches find no path and tracks do not go in, the
 * planner says that it is exhausted, and loops end as they do when time is out. For tools.
 *
 * Prefixes that stay are in the table for good, also while their agent is out of it: nobody is planned through what
 * will happen anyway. Every track begins with its agent's prefix, and searches begin where it ends. */
#ifndef DL_ENGINE_PLANNER_H
#define DL_ENGINE_PLANNER_H

#include "base/memory.h"
#include "base/rng.h"
#include "mapf/distance.h"
#include "mapf/instance.h"
#include "mapf/plan.h"
#include "mapf/track.h"
/* No engine plans arrivals beyond this time, which is twice the cells of the largest map: any path alone fits. What an
 * engine's own table can hold may be less: dl_planner.last_time. */
enum { DL_LAST_TIME = 1 << 25, DL_NEVER = DL_LAST_TIME + 1 };
/* Nor paths with more soft conflicts than this. */
enum { DL_MOST_CONFLICTS = (1 << 22) - 1 };

/* Which of the equally good paths to take: where the slack of a path is spent. */
typedef enum dl_tie_rule {
    DL_LATE_DEPARTURE, /* early, near the start: repairs best in congestion */
    DL_WAIT_FIRST,     /* waiting, late: the lowest sum of costs */
    DL_UNIFORM,        /* any */
    DL_TIE_RULES
} dl_tie_rule;

/* What one search is asked for. DL_SOFT_REQUEST and DL_HARD_REQUEST are the usual ones. */
typedef struct dl_request {
    bool hard; /* paths in the table may not be touched at all; otherwise touching them costs conflicts */
    dl_tie_rule rule;
    int earliest;       /* do not come to rest on the goal before this time */
    int latest;         /* nor after this one */
    int most_conflicts; /* give up when a path needs more soft conflicts than this */
    bool hasty;         /* on large maps: a somewhat later arrival will do where the earliest is hard to find */
} dl_request;

#define DL_SOFT_REQUEST ((dl_request){false, DL_LATE_DEPARTURE, 0, DL_LAST_TIME, DL_MOST_CONFLICTS, false})
#define DL_HARD_REQUEST ((dl_request){true, DL_WAIT_FIRST, 0, DL_LAST_TIME, 0, false})

/* An agent on some cell at some time, before it came to rest or at that moment. */
typedef struct dl_passing {
    int32_t time, agent;
} dl_passing;

typedef struct dl_planner dl_planner;

/* What an engine provides. `p->track`, `in_table` and `makespan` are kept by planner.c: in `insert` they include the
 * agent already, in `remove` no longer. Agents at rest are not "passing": times 0..cost are. */
typedef struct dl_planner_ops {
    const char *name;
    bool (*insert)(dl_planner *p, int agent); /* false when memory is out: the table has not changed */
    void (*remove)(dl_planner *p, int agent);
    /* Puts the agent's prefix in, which begins its track: insert and remove do not touch it. */
    bool (*fix)(dl_planner *p, int agent);
    /* Takes everybody out, sooner than one by one, and all prefixes; `in_table` and the tracks still tell who is in. */
    void (*clear)(dl_planner *p);
    /* Plans `agent`, which must not be in the table, into p->spare[agent]. Returns its soft conflicts c (0
     * exactly if the path has no partner; always 0 in hard mode), or DL_NO_PATH. Minimal in (c, arrival). */
    int (*plan)(dl_planner *p, int agent, const dl_request *request);
    /* The distinct agents in the table that collide with `track`, in any order, into list [agents]; returns their
     * number. May stop early once it exceeds `limit`. The owner of `track` must not be in the table. */
    int (*partners)(dl_planner *p, const dl_track *track, int limit, int32_t *list);
    /* The agents that pass `cell` at `time`: *count of them, valid until the next call. */
    const int32_t *(*passing_at)(dl_planner *p, dl_cell cell, int time, int *count);
    /* Everyone who ever passes `cell`, in order of time, one entry a step; valid until the next call. */
    const dl_passing *(*passing)(dl_planner *p, dl_cell cell, int *count);
    /* For tests and debug builds: does the table equal one filled afresh with the same tracks? */
    bool (*audit)(dl_planner *p);
    void (*free)(dl_planner *p);
} dl_planner_ops;

enum { DL_NO_PATH = -1 };

/* What one search is about: from a cell at a time over goals, one after the other. */
typedef struct dl_route {
    dl_cell from;
    int time;            /* the end of the prefix; 0 = there is none */
    dl_cell goal;        /* the last one */
    const dl_cell *stop; /* [legs - 1]: the goals before it */
    int legs;
    int visited; /* goals visited in the prefix: leg i leads to the agent's goal number visited + i */
} dl_route;

/* The part all engines share; an engine's own struct begins with it. */
struct dl_planner {
    const dl_planner_ops *ops;
    dl_map *map;                 /* shared: the planner may be put on any of its instances */
    const dl_instance *instance; /* NULL while parked */
    dl_distance *distance;       /* shared, not owned */
    int room;                    /* agents that the arrays over agents can hold */
    dl_track *track, *spare;     /* [agents] */
    bool *in_table;              /* [agents] */
    int32_t *goal_of;            /* [cells]: 1 + the agent whose goal it is, 0 = nobody's, as new memory is */
    int last_time;               /* later arrivals do not fit the engine's table */
    int makespan;                /* of the tracks and prefixes in the table, 0 for none */
    int32_t *arrivals;           /* [arrivals_room]: how many tracks in the table have that cost */
    int arrivals_room;
    bool chooses;   /* the engine suits the instance; otherwise it was asked for */
    bool exhausted; /* memory ran out since the table was last cleared */
    dl_rng rng;     /* breaks ties */
};

typedef enum dl_engine { DL_ENGINE_AUTO, DL_ENGINE_BOARDS, DL_ENGINE_SIPPS } dl_engine;

/* Boards beat SIPPS up to about this many free cells, on boards that are not mostly walls (docs/repair.md). */
enum { DL_BOARD_CELLS = 4096, DL_BOARD_BITS = 16384 };
/* Boards are tables over time: a path this long takes 40 MB on a map of the paper. Nobody needs more there, and a plan
 * that does is left as it is. A prefix that leaves little of it to the search is for SIPPS. */
enum { DL_BOARD_LAST_TIME = 65000, DL_BOARD_PREFIX = 2000 };

/* An empty table. `instance` and `distance` must outlive it; every goal must be reachable. NULL when memory is
 * out. */
DL_MUST_CHECK dl_planner *dl_planner_create(const dl_instance *instance, dl_distance *distance, dl_engine engine);
void dl_planner_free(dl_planner *p);
/* Empties the table and lets go of the instance, which may be freed then; only dl_planner_reuse and dl_planner_free may
 * follow. */
void dl_planner_park(dl_planner *p);
/* Puts a parked planner on another instance: an empty table, without an allocation but for prefixes. False if it does
 * not fit: another map, more agents than ever before, an instance for the other engine, or prefixes without memory for
 * them.
 */
bool dl_planner_reuse(dl_planner *p, const dl_instance *instance, dl_distance *distance);
/* What dl_planner.last_time will be for this instance with DL_ENGINE_AUTO. */
int dl_planner_last_time(const dl_instance *instance);
/* Takes every path out of the table and forgets the tracks. */
void dl_planner_clear(dl_planner *p);

/* False, and the planner exhausted, when memory is out: the agent is not in the table then. */
DL_MUST_CHECK bool dl_planner_insert(dl_planner *p, int agent);
/* Inserts a track that was in the table before, while no others are in it than then: that takes no memory. */
void dl_planner_put_back(dl_planner *p, int agent);
void dl_planner_remove(dl_planner *p, int agent);

static inline int dl_planner_plan(dl_planner *p, int agent, const dl_request *request)
{
    return p->ops->plan(p, agent, request);
}

static inline int dl_planner_partners(dl_planner *p, const dl_track *track, int limit, int32_t *list)
{
    return p->ops->partners(p, track, limit, list);
}

static inline void dl_planner_exchange(dl_planner *p, int agent)
{
    dl_track swap = p->track[agent];
    p->track[agent] = p->spare[agent];
    p->spare[agent] = swap;
}

/* Takes the spare track for the agent's own and inserts it. False when memory is out: the tracks are as before, and the
 * agent is not in the table. */
DL_MUST_CHECK static inline bool dl_planner_adopt(dl_planner *p, int agent)
{
    dl_planner_exchange(p, agent);
    if (dl_planner_insert(p, agent)) return true;
    dl_planner_exchange(p, agent);
    return false;
}

/* The same for all of these agents, who are in the table: all leave it, then all enter it anew. False when memory is
 * out: then not all of them are in it. */
DL_MUST_CHECK bool dl_planner_adopt_all(dl_planner *p, const int32_t *agent, int count);

/* The field of the agent's goal, to be released. NULL when time is out, or memory: then the planner is exhausted. */
DL_MUST_CHECK static inline const dl_field *dl_planner_acquire(dl_planner *p, int agent)
{
    const dl_field *field = dl_distance_acquire(p->distance, agent);
    if (!field && dl_distance_starved(p->distance)) p->exhausted = true;
    return field;
}

/* The agent whose goal the cell is, -1 = nobody's. */
static inline int dl_planner_goal_owner(const dl_planner *p, dl_cell cell)
{
    return p->goal_of[cell] - 1;
}

/* When the agent resting on `cell` arrives there; DL_NEVER if nobody in the table rests there. */
static inline int dl_planner_rest_time(const dl_planner *p, dl_cell cell)
{
    int owner = dl_planner_goal_owner(p, cell);
    return owner >= 0 && p->in_table[owner] ? p->track[owner].cost : DL_NEVER;
}

/* Is there no time left to enter a path of so many steps in the table and to take it out again? It may have millions,
 * each of which takes 25 ns; nobody looks at the clock meanwhile. */
static inline bool dl_planner_is_late_for(const dl_deadline *deadline, int steps)
{
    const double step_seconds = 4e-8;
    double needed = steps > 0 ? step_seconds * steps : 0;
    return dl_deadline_canceled(deadline) || dl_deadline_left(deadline) <= needed;
}

/* ---- prefixes and routes, for engines ---- */

/* The first time of the agent's track that insert and remove are about. */
static inline int dl_planner_first(const dl_planner *p, int agent)
{
    int fixed = dl_instance_fixed(p->instance, agent);
    return fixed > 0 ? fixed + 1 : 0;
}

/* The last time up to which the agent's track, or its prefix, tells where the table has it; -1 = it is not in. */
static inline int dl_planner_known(const dl_planner *p, int agent)
{
    int fixed = dl_instance_fixed(p->instance, agent), cost = p->in_table[agent] ? p->track[agent].cost : -1;
    return fixed > 0 && fixed > cost ? fixed : cost;
}

dl_route dl_planner_errand_route(const dl_planner *p, int agent);

static inline dl_route dl_planner_route(const dl_planner *p, int agent)
{
    if (__builtin_expect(p->instance->errand != NULL, 0)) return dl_planner_errand_route(p, agent);
    return (dl_route){.from = p->instance->start[agent], .goal = p->instance->goal[agent], .legs = 1};
}

static inline dl_cell dl_route_target(const dl_route *route, int leg)
{
    return leg < route->legs - 1 ? route->stop[leg] : route->goal;
}

/* The prefix ends on the last goal: to stay there costs what the prefix costs, not the time at which it ends. */
static inline bool dl_route_may_end_at_once(const dl_route *route)
{
    return route->time > 0 && route->legs == 1 && route->from == route->goal;
}

/* How many steps of the agent's prefix collide with somebody in the table. */
int dl_planner_touches_prefix(dl_planner *p, int agent);

/* Copies a path of a plan into the agent's track (not into the table), without trailing waits. False, with no track
 * set, if the path is empty, does not start on the agent's start, makes a step that is no step, does not end on the
 * goal, does not keep to the agent's errand, or is too long (also for the memory there is: then the planner is
 * exhausted). */
bool dl_planner_read_path(dl_planner *p, int agent, const dl_path *path);
/* The tracks as a plan, the caller's to free. Agents without a track get an empty path. NULL when memory
 * is out. */
DL_MUST_CHECK dl_plan *dl_planner_write_plan(const dl_planner *p);

/* For engines: sets up and releases the shared part; end it also when memory was out at its beginning (false). */
DL_MUST_CHECK bool dl_planner_begin(dl_planner *p, const dl_planner_ops *ops, const dl_instance *instance,
                                    dl_distance *distance);
void dl_planner_end(dl_planner *p);

#endif

/* A fleet in motion: robots with positions, queues of goals and holds, and the plan being driven. For tools.
 *
 * This room may use mapf, order, lacam, complete and solver/api.h; the public interface (fleet_api.c) and tools/live
 * use it. What enters: where robots are and want to go, tick by tick. What leaves: the next steps of all, legal
 * together. fleet.c          the state: robots, goals, observations, costs of edges fleet_plan.c     a tick's planning:
 * window.c with its search, PIBT, retiming and improvement closures.c       what is closed, and who can't get
 * through fleet_escort.c   who is brought to its goal whatever the others want: escort.c, escort_drive.c guidance.c
 * where costs of edges come from: lanes.c, flow.c, guidance_file.c, tried out by trial.c One thread at a time; a window
 * and an escort are scratch of their fleet. */
#ifndef DL_FLEET_FLEET_H
#define DL_FLEET_FLEET_H

#include "base/busy.h"
#include "fleet/closures.h"
#include "fleet/escort.h"
#include "fleet/guidance.h"
#include "fleet/window.h"
#include "mapf/map.h"

typedef struct difflns_fleet dl_fleet;

typedef struct dl_robot {
    bool present;
    bool seen;      /* observed since the last tick */
    dl_cell at;     /* where it is, as far as is known */
    dl_cell before; /* where it was before the last tick: and still is if the robot ahead of it did not leave */
    int64_t hold;   /* the first tick in which it may move */
    dl_cell *queue; /* [room]: its goals are queue[first] .. queue[first + goals - 1] */
    int first, goals, room;
    dl_field field[DL_TRIP_GOALS]; /* distances to the first goals, as the map has them */
    dl_map *source[DL_TRIP_GOALS]; /* whose field it is, shared as long; NULL: none, or time or memory is out */
    int64_t since;   /* the tick from which it counts as on its way to its goal: the lower, the more urgent */
    int64_t nearer;  /* the last tick in which it came nearer to its goal than ever */
    int nearest;     /* how near */
    int64_t asked;   /* the tick from which its patience counts */
    bool stuck;      /* it can't reach its goal, wherever the others go */
    int64_t reached; /* goals, ever */
} dl_robot;

struct difflns_fleet {
    dl_busy busy;  /* a call of the public interface is at work */
    dl_map *map;   /* shared */
    dl_map *under; /* the same with the costs that hold now, or the same; shared: what goals are measured on */
    const dl_grid *grid;
    int64_t now;
    int room;        /* numbers in use are below */
    dl_robot *robot; /* [room] */
    uint16_t *on;    /* [cells] who is there, DL_NO_ROBOT = nobody */
    dl_asker asker;  /* for the distances of large maps */
    uint64_t seed;
    int64_t iterations; /* of improvement per plan, at most; 0 = PIBT alone, DL_FLEET_SETTLED = until it pays no more */
    dl_window window;   /* its ranks list the robots */
    uint8_t *driven;    /* [room] steps of its path that a robot has made; scratch of dl_fleet_plan */
    bool planned;       /* the window holds a plan for all robots */
    bool astray;        /* and somebody is not where it says */
    int ticks;          /* since it was made */
    int64_t spent;      /* iterations of the last plan */
    dl_escort escort;   /* of the robot below; its memory all the time */
    int escorted;       /* DL_NO_ROBOT = nobody */
    int64_t escort_moved; /* the last tick in which the escort got on */
    dl_closures closures;
    dl_guidance guidance;
    dl_cell *demand; /* [DL_FLEET_DEMAND] goals given, the latest in place of the oldest */
    int asked;       /* goals given, ever; stops at the largest int */
    int vacant;      /* no number below is free */
    bool outdated;   /* some distances are older than the costs */
    bool reshaped;   /* robots came, left or were put elsewhere: who was stuck need not be any more */
};

enum { DL_FLEET_SETTLED = -1, DL_FLEET_DEMAND = 1024 };

dl_status dl_fleet_create(dl_map *map, dl_fleet **out, dl_error *err);
void dl_fleet_free(dl_fleet *fleet);
/* Steps of the window, 0 = what suits the map. Drops the plan. */
dl_status dl_fleet_set_window(dl_fleet *fleet, int steps, dl_error *err);
/* "auto", "none", "lanes", "traffic", or a file of costs (guidance.c). */
dl_status dl_fleet_set_guidance(dl_fleet *fleet, const char *guidance, dl_error *err);
/* The same by rules, or by a table, which is shared. */
dl_status dl_fleet_set_rules(dl_fleet *fleet, const dl_guidance_rules *rules, dl_error *err);
dl_status dl_fleet_set_table(dl_fleet *fleet, dl_edge_costs *table, dl_error *err);
void dl_guidance_release(dl_guidance *guidance);
/* A tick has passed in which so many goals were reached: costs follow the flow. */
void dl_fleet_guide(dl_fleet *fleet, int reached);
/* Goes on with a trial of other rules in what is left of the time, and takes them over if they serve better. */
void dl_fleet_try_guidance(dl_fleet *fleet, const dl_deadline *deadline);
/* Costs of edges from now on; NULL: none. Shares them. Robots keep to what their distances were measured with until
 * dl_fleet_refresh gets to them. Large maps refuse all but NULL. */
dl_status dl_fleet_set_costs(dl_fleet *fleet, dl_edge_costs *costs, dl_error *err);
/* Measures anew the distances that are older than the costs, those of the most urgent robots first, as far as time
 * allows. */
void dl_fleet_refresh(dl_fleet *fleet, const dl_deadline *deadline);

/* Cells and edges to be closed or opened again. */
typedef struct dl_block_list {
    const difflns_cell *cell;
    size_t cells;
    const difflns_edge *edge;
    size_t edges;
} dl_block_list;
dl_status dl_fleet_block(dl_fleet *fleet, const dl_block_list *list, bool closed, dl_error *err);
/* Memory for a robot that stands still until then. False when memory is out. */
DL_MUST_CHECK bool dl_fleet_expect_standing(dl_fleet *fleet, int64_t until);
/* Lays what is closed now, and who is held for long, into the costs (closures.c). */
void dl_fleet_see_closures(dl_fleet *fleet);
/* The fewest closed steps, nearest first, on a way of the robot to its goal; 0 = it is open. Scratch is used. */
int dl_fleet_blocked(dl_fleet *fleet, int robot, difflns_fleet_obstacle *out, size_t room);
/* mark[cell] says whether nobody may enter; returns how many. */
int dl_fleet_mark_closed(const dl_fleet *fleet, uint8_t *mark);
/* Must the step between these neighbors not be made? Robots that are held do not count. */
bool dl_fleet_is_shut(const dl_fleet *fleet, dl_cell from, dl_cell to);

dl_status dl_fleet_add(dl_fleet *fleet, difflns_cell at, int *added, dl_error *err);
dl_status dl_fleet_remove(dl_fleet *fleet, int robot, dl_error *err);
bool dl_fleet_has(const dl_fleet *fleet, int robot);

dl_status dl_fleet_add_goal(dl_fleet *fleet, int robot, difflns_cell goal, dl_error *err);
dl_status dl_fleet_clear_goals(dl_fleet *fleet, int robot, dl_error *err);
/* The robot does not move before the tick `until`. */
dl_status dl_fleet_hold(dl_fleet *fleet, int robot, int64_t until, dl_error *err);
/* Takes goals off the queues whose robots stand on them, and sees to the distances of those that follow, as far as
 * memory and time allow. Returns how many. */
int dl_fleet_take_goals(dl_fleet *fleet, const dl_deadline *deadline);

/* Where a robot really is. Robots that were to follow into a cell it has not left have not moved, either. */
dl_status dl_fleet_observe(dl_fleet *fleet, int robot, difflns_cell at, dl_error *err);
/* Everybody is where the plan says; time goes on. */
void dl_fleet_tick(dl_fleet *fleet);

/* Mends the plan from where the robots are now (fleet_plan.c). */
dl_status dl_fleet_plan(dl_fleet *fleet, const dl_deadline *deadline, dl_error *err);
typedef enum dl_fleet_turn {
    DL_FLEET_GOES_ON,  /* with the plan being driven */
    DL_FLEET_SETS_OUT, /* a new leg of an escort begins, with which that plan may collide */
    DL_FLEET_WAITS     /* nobody may move before the leg is found */
} dl_fleet_turn;

/* Sees to the robot that is escorted, or to the next who must be (fleet_escort.c). */
dl_fleet_turn dl_fleet_escort(dl_fleet *fleet, const dl_deadline *deadline);
/* How many steps of the plan a robot has made: -1 if it is on none of the cells it can have got to. */
int dl_fleet_steps_made(const dl_fleet *fleet, int robot);
/* Where the plan has a robot `steps` ticks from now; after its end and while somebody is astray, where it is. */
dl_cell dl_fleet_ahead(const dl_fleet *fleet, int robot, int steps);

#endif

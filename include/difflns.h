/*
 * DiffLNS: dense multi-agent path finding (MAPF).
 *
 * Given a grid map and N agents with a start and a goal each, find paths without collisions. Agents may be held to a
 * departure, to a prefix of their path and to several goals one after the other. This header is the whole
 * public interface.
 *
 * The rules
 *  - Cells are (row, col), row 0 at the top, col 0 at the left.
 *  - Time is discrete. In one step an agent waits or moves to one of the four neighboring free cells. Two agents may
 *    not be on one cell (vertex conflict) nor exchange cells in one step (swap conflict). An agent stays on its goal
 *    after its last arrival; a path costs the time of that arrival, a plan the sum of its paths (sum of costs, SOC).
 *
 * Ownership
 *  - Objects are opaque. What a function hands out through an `out` argument is the caller's, to be released with the
 *    matching *_free, which takes NULL. Pointers returned by accessors belong to the object they came from.
 *  - Everything passed in is copied, unless a function says otherwise.
 *
 * Errors
 *  - Functions that can fail return a difflns_status and fill a difflns_error (which may be NULL) with one line. When
 *    they fail, `*out` is NULL. NULL where an object is needed and arguments out of range are DIFFLNS_BAD_INPUT.
 *  - Accessors without a status answer questions that make no sense (NULL, no such agent) with -1, the cell (-1, -1),
 *    NULL or 0, as each says.
 *  - Running out of memory is a status: the call hands back what it has, and every object stays usable.
 *
 * Threads
 *  - There are no globals. Different threads may use different objects as they like. Maps, instances, plans and models
 *    may be read by many threads at once. A solver serves one call at a time; only difflns_solver_stop may be called
 *    while it works. A fleet serves one call at a time. Other calls meanwhile are answered DIFFLNS_BUSY, by a solver's
 *    accessors as if nothing had been solved, by a fleet's as if there were no such robot.
 */
#ifndef DIFFLNS_H
#define DIFFLNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls that were removed or changed raise MAJOR, additions raise MINOR. */
#define DIFFLNS_VERSION_MAJOR 0
#define DIFFLNS_VERSION_MINOR 1
#define DIFFLNS_VERSION_PATCH 0

#if defined(__GNUC__)
#define DIFFLNS_API __attribute__((visibility("default")))
#else
#define DIFFLNS_API
#endif

/* ---- Statuses and messages ---------------------------------------------------------------------------------- */

typedef enum difflns_status {
    DIFFLNS_OK = 0,
    DIFFLNS_UNSOLVED = 1,      /* no solution found within the limit */
    DIFFLNS_BAD_INPUT = 2,     /* a file or an argument was refused; the message names it */
    DIFFLNS_UNSOLVABLE = 3,    /* no solution exists */
    DIFFLNS_IO = 4,            /* a file could not be written */
    DIFFLNS_STOPPED = 5,       /* the caller asked to stop */
    DIFFLNS_INTERNAL = 6,      /* a bug: a result did not pass the checker */
    DIFFLNS_OUT_OF_MEMORY = 7, /* and nothing to hand back */
    DIFFLNS_BUSY = 8           /* another thread is calling the same object; nothing happened */
} difflns_status;

typedef struct difflns_error {
    difflns_status status;
    char message[512]; /* one line, no newline */
} difflns_error;

/* The version of the library that runs, "0.1.0"; the macros tell which one was compiled against. */
DIFFLNS_API const char *difflns_version(void);
/* A short name for a status, e.g. "bad input"; "unknown" for others. */
DIFFLNS_API const char *difflns_status_name(difflns_status status);
/* Releases text and bytes that a *_print function handed out. */
DIFFLNS_API void difflns_text_free(char *text);

typedef struct difflns_cell {
    int32_t row, col;
} difflns_cell;

/* ---- Maps ----------------------------------------------------------------------------------------------------- */

/* A grid with its distance fields, which are made when first needed and kept for the next call. Share one map among all
 * instances on it; any number of threads may use it at once. */
typedef struct difflns_map difflns_map;

/* `blocked` holds height*width bytes, row by row, non-zero for obstacles. */
DIFFLNS_API difflns_status difflns_map_create(int height, int width, const uint8_t *blocked, difflns_map **out,
                                              difflns_error *err);
/* Reads a MovingAI .map file or a POGEMA YAML file, plain or zstd-compressed. `name` picks one of several maps of a
 * POGEMA file; NULL the only one. */
DIFFLNS_API difflns_status difflns_map_load(const char *path, const char *name, difflns_map **out, difflns_error *err);
/* The same from memory. */
DIFFLNS_API difflns_status difflns_map_parse(const void *bytes, size_t size, const char *name, difflns_map **out,
                                             difflns_error *err);
/* A MovingAI .map file as text; release it with difflns_text_free. `size` may be NULL. */
DIFFLNS_API difflns_status difflns_map_print(const difflns_map *map, char **out, size_t *size, difflns_error *err);
/* Instances keep the map they were made on alive: it may be freed before them. */
DIFFLNS_API void difflns_map_free(difflns_map *map);
/* -1 for NULL. */
DIFFLNS_API int difflns_map_height(const difflns_map *map);
DIFFLNS_API int difflns_map_width(const difflns_map *map);
DIFFLNS_API int difflns_map_free_cells(const difflns_map *map);
/* True if (row, col) is outside the map or an obstacle. */
DIFFLNS_API bool difflns_map_blocked(const difflns_map *map, int row, int col);
/* Steps of a shortest path; -1 if there is none or an end is not free. */
DIFFLNS_API int64_t difflns_map_distance(difflns_map *map, difflns_cell from, difflns_cell to);
/* Distance fields beyond so many bytes (512 MB unless set) are given back, the least recently used first, as far as
 * nobody is using them: now, and whenever another field is made. */
DIFFLNS_API difflns_status difflns_map_limit_memory(difflns_map *map, size_t bytes, difflns_error *err);
/* Bytes held by distance fields now. */
DIFFLNS_API size_t difflns_map_memory(difflns_map *map);

/* ---- Instances ------------------------------------------------------------------------------------------------ */

/* A map, and a start and a goal for each agent. */
typedef struct difflns_instance difflns_instance;

/*
 * Reads a map and the first `agents` rows of a scenario (0 = all of them). Files may be MovingAI .map/.scen or POGEMA
 * YAML, plain or zstd-compressed. Refused with BAD_INPUT: anything malformed, starts or goals off the map, on
 * obstacles or shared, fewer rows than agents.
 */
DIFFLNS_API difflns_status difflns_instance_load(const char *map_path, const char *scen_path, int agents,
                                                 difflns_instance **out, difflns_error *err);
/*
 * The same for POGEMA files that hold several maps or scenarios: picks them by name. NULL picks the only scenario, and
 * the map the scenario names (or else the only one). `scen_path` may be NULL when the map itself shows where the agents
 * are (letters a-z for starts, A-Z for goals).
 */
DIFFLNS_API difflns_status difflns_instance_load_named(const char *map_path, const char *map_name,
                                                       const char *scen_path, const char *scenario, int agents,
                                                       difflns_instance **out, difflns_error *err);
/* The same from memory: the bytes of both files. `scen` may be NULL as above. */
DIFFLNS_API difflns_status difflns_instance_parse(const void *map, size_t map_size, const char *map_name,
                                                  const void *scen, size_t scen_size, const char *scenario, int agents,
                                                  difflns_instance **out, difflns_error *err);
/* On a map that is kept: `starts` and `goals` hold `agents` cells each. */
DIFFLNS_API difflns_status difflns_instance_create_on(difflns_map *map, int agents, const difflns_cell *starts,
                                                      const difflns_cell *goals, difflns_instance **out,
                                                      difflns_error *err);
/* On a map of its own: difflns_map_create and difflns_instance_create_on in one call. */
DIFFLNS_API difflns_status difflns_instance_create(int height, int width, const uint8_t *blocked, int agents,
                                                   const difflns_cell *starts, const difflns_cell *goals,
                                                   difflns_instance **out, difflns_error *err);
/* A random instance of one of the families below: the same everywhere for the same arguments. */
DIFFLNS_API difflns_status difflns_generate(const char *family, int agents, uint64_t seed, difflns_instance **out,
                                            difflns_error *err);
/* The names of the families by number from 0 ("small-random", "medium-maze", ...); NULL after the last. */
DIFFLNS_API const char *difflns_family_name(int index);
/* The MovingAI .scen file as text; the map's comes from difflns_map_print. */
DIFFLNS_API difflns_status difflns_instance_print(const difflns_instance *instance, char **out, size_t *size,
                                                  difflns_error *err);
DIFFLNS_API void difflns_instance_free(difflns_instance *instance);

/* The map the instance was made on, its own reference: valid as long as the instance. NULL for NULL. */
DIFFLNS_API difflns_map *difflns_instance_map(const difflns_instance *instance);
/* -1 for NULL. */
DIFFLNS_API int difflns_instance_agents(const difflns_instance *instance);
DIFFLNS_API int difflns_instance_height(const difflns_instance *instance);
DIFFLNS_API int difflns_instance_width(const difflns_instance *instance);
/* True if (row, col) is outside the map or an obstacle. */
DIFFLNS_API bool difflns_instance_blocked(const difflns_instance *instance, int row, int col);
/* (-1, -1) if there is no such agent. */
DIFFLNS_API difflns_cell difflns_instance_start(const difflns_instance *instance, int agent);
DIFFLNS_API difflns_cell difflns_instance_goal(const difflns_instance *instance, int agent);
/* Sum over agents of the least a path alone can cost, the shortest distance from start to goal unless the agent has a
 * prefix or several goals: no plan costs less. -1 if a goal can't be reached, or the memory to find out is not there.
 */
DIFFLNS_API int64_t difflns_instance_sum_of_distances(const difflns_instance *instance);

/*
 * What follows changes an instance: not while somebody else uses it. Files carry none of it: difflns_instance_print and
 * the plan formats tell starts, last goals and paths alone. Where a call fails, the instance is as it was.
 */

/* The agent waits on its start until `time` at least, 0 to 1000000; 0: free to leave at once. The waits cost as much as
 * moves, unless its start is its goal and it never leaves. Takes the place of the agent's prefix. Prefixes and
 * departures of all agents together fix at most 16777216 steps. */
DIFFLNS_API difflns_status difflns_instance_set_departure(difflns_instance *instance, int agent, int time,
                                                          difflns_error *err);
/* The agent's path begins with these `count` cells, one per timestep from its start on: what it is already doing.
 * 0 or 1: nothing is fixed (`cells` may be NULL for 0). Takes the place of the agent's departure. Prefixes of two
 * agents may collide; then there is no plan, and solving says so. */
DIFFLNS_API difflns_status difflns_instance_set_prefix(difflns_instance *instance, int agent, const difflns_cell *cells,
                                                       int count, difflns_error *err);
/* The agent visits these 1 to 64 goals in order and stays on the last, which must be no other agent's last; all others
 * may be shared. Passing over a goal is a visit, also in the prefix. Takes the place of the agent's goals so far. */
DIFFLNS_API difflns_status difflns_instance_set_goals(difflns_instance *instance, int agent, const difflns_cell *cells,
                                                      int count, difflns_error *err);
/* The cells of the prefix, a departure's waits included, and the goals: up to `room` of them into `cells` (which may be
 * NULL). They return how many there are: 0 without a prefix; -1 if there is no such agent. */
DIFFLNS_API int difflns_instance_prefix(const difflns_instance *instance, int agent, difflns_cell *cells, int room);
DIFFLNS_API int difflns_instance_goals(const difflns_instance *instance, int agent, difflns_cell *cells, int room);

/* ---- Plans ---------------------------------------------------------------------------------------------------- */

typedef struct difflns_plan difflns_plan;

typedef enum difflns_format {
    DIFFLNS_FORMAT_JSON = 0,        /* our own, versioned */
    DIFFLNS_FORMAT_PATHS = 1,       /* MAPF-LNS2 path text: "Agent 0:(row,col)->..." */
    DIFFLNS_FORMAT_RESULT = 2,      /* LaCAM / PIBT result file, as mapf-visualizer reads it */
    DIFFLNS_FORMAT_TRACKER = 3,     /* MAPF tracker: strings over u d l r w */
    DIFFLNS_FORMAT_DEPENDENCIES = 4 /* who may enter which cell only after whom, as JSON; written only */
} difflns_format;

/* Formats by name, "json" for example: those above and those added since. NULL, and -1, if there is none. */
DIFFLNS_API const char *difflns_format_name(int format);
DIFFLNS_API int difflns_format_find(const char *name);

/* The order of the two numbers of a cell in path text: MAPF-LNS2 writes (row,col), some relatives (col,row). */
typedef enum difflns_order {
    DIFFLNS_ORDER_AUTO = 0, /* told apart by the starts */
    DIFFLNS_ORDER_ROWCOL = 1,
    DIFFLNS_ORDER_COLROW = 2
} difflns_order;

/*
 * Reads a plan of any format (told apart by content). The plan is not checked: it may collide, jump or leave the map.
 * Path text in (col,row) order is recognized by the starts, and refused when both orders fit.
 */
DIFFLNS_API difflns_status difflns_plan_read(const difflns_instance *instance, const char *path, difflns_plan **out,
                                             difflns_error *err);
/* The same with the order of path text given; it has no effect on other formats. */
DIFFLNS_API difflns_status difflns_plan_read_order(const difflns_instance *instance, const char *path,
                                                   difflns_order order, difflns_plan **out, difflns_error *err);
/* The same from memory. */
DIFFLNS_API difflns_status difflns_plan_parse(const difflns_instance *instance, const void *bytes, size_t size,
                                              difflns_order order, difflns_plan **out, difflns_error *err);
/* Makes a plan from cells: path i has lengths[i] >= 1 cells, all paths one after the other in `cells`. */
DIFFLNS_API difflns_status difflns_plan_create(int agents, const int32_t *lengths, const difflns_cell *cells,
                                               difflns_plan **out, difflns_error *err);
/* Makes a plan from positions [times][agents][2] (row, col): the counterpart of difflns_plan_positions. */
DIFFLNS_API difflns_status difflns_plan_from_positions(int agents, int times, const int32_t *positions,
                                                       difflns_plan **out, difflns_error *err);
/* Writes to a temporary and renames, so the file is whole or not there. "-" is standard output. */
DIFFLNS_API difflns_status difflns_plan_write(const difflns_instance *instance, const difflns_plan *plan,
                                              difflns_format format, const char *path, difflns_error *err);
/* The same as text; release it with difflns_text_free. `size` may be NULL. */
DIFFLNS_API difflns_status difflns_plan_print(const difflns_instance *instance, const difflns_plan *plan,
                                              difflns_format format, char **out, size_t *size, difflns_error *err);
DIFFLNS_API void difflns_plan_free(difflns_plan *plan);
/* -1 for NULL. */
DIFFLNS_API int difflns_plan_agents(const difflns_plan *plan);
/* The sum of costs and the time of the latest arrival; -1 for NULL. */
DIFFLNS_API int64_t difflns_plan_soc(const difflns_plan *plan);
DIFFLNS_API int difflns_plan_makespan(const difflns_plan *plan);
/* Number of cells of a path: its last arrival time plus one. -1 if there is no such agent. */
DIFFLNS_API int difflns_plan_length(const difflns_plan *plan, int agent);
/* Where the agent is at `time`; after its last arrival, its last cell. (-1, -1) if there is no such agent or time. */
DIFFLNS_API difflns_cell difflns_plan_at(const difflns_plan *plan, int agent, int time);
/* All positions at once: fills [times][agents][2] (row, col) for the times first .. first + times - 1. */
DIFFLNS_API difflns_status difflns_plan_positions(const difflns_plan *plan, int first, int times, int32_t *positions,
                                                  difflns_error *err);
/* The last time up to which all agents can follow the plan without a violation, -1 if not even time 0 is valid; the
 * makespan for a valid plan. What a controller may drive when time ran out and the best plan still collides. */
DIFFLNS_API difflns_status difflns_plan_safe_time(const difflns_instance *instance, const difflns_plan *plan, int *time,
                                                  difflns_error *err);

/* ---- The checker ---------------------------------------------------------------------------------------------- */

typedef enum difflns_violation_kind {
    DIFFLNS_VERTEX = 0,       /* two agents on one cell */
    DIFFLNS_SWAP = 1,         /* two agents exchange cells */
    DIFFLNS_TELEPORT = 2,     /* a step to a cell that is not a neighbor */
    DIFFLNS_OBSTACLE = 3,     /* on an obstacle */
    DIFFLNS_BOUNDS = 4,       /* off the map */
    DIFFLNS_WRONG_START = 5,  /* does not begin on the agent's start */
    DIFFLNS_WRONG_GOAL = 6,   /* does not end on the agent's goal */
    DIFFLNS_AGENT_COUNT = 7,  /* the plan has another number of agents than the instance */
    DIFFLNS_WRONG_PREFIX = 8, /* leaves its start before its departure, or departs from its prefix */
    DIFFLNS_MISSED_GOAL = 9   /* ends without having visited its goals in order; the cell is the first one missed */
} difflns_violation_kind;

typedef struct difflns_violation {
    difflns_violation_kind kind;
    int32_t agent, other; /* other = -1 when only one agent is concerned */
    int32_t time;
    difflns_cell cell;
} difflns_violation;

/*
 * Checks a plan, independently of everything that makes plans. OK whenever the check could be made: then *violations
 * is their number, 0 for a valid plan, and up to `room` of them are in `list` (which may be NULL), in order of time.
 */
DIFFLNS_API difflns_status difflns_plan_check(const difflns_instance *instance, const difflns_plan *plan,
                                              difflns_violation *list, size_t room, int64_t *violations,
                                              difflns_error *err);
/* A short name for a kind, e.g. "vertex"; "unknown" for others. */
DIFFLNS_API const char *difflns_violation_name(difflns_violation_kind kind);

/* ---- Models and drafts ---------------------------------------------------------------------------------------- */

/* A diffusion model. A library built without learning refuses to load one. */
typedef struct difflns_model difflns_model;

/* Reads a weights file; NULL stands for the weights shipped inside the library. */
DIFFLNS_API difflns_status difflns_model_load(const char *path, difflns_model **out, difflns_error *err);
DIFFLNS_API difflns_status difflns_model_parse(const void *bytes, size_t size, difflns_model **out, difflns_error *err);
DIFFLNS_API void difflns_model_free(difflns_model *model);
/* JSON: what it was trained on and how it measured; "{}" if nothing is known, NULL for NULL. */
DIFFLNS_API const char *difflns_model_card(const difflns_model *model);

/* Plans drawn from a model, before any repair: every path is legal by itself and ends on its last goal; they collide,
 * and know nothing of prefixes and goals before the last. */
typedef struct difflns_drafts difflns_drafts;

/* Draws `count` drafts on `threads` threads (0 = all cores); `steps` of denoising and a `horizon` in timesteps, 0 =
 * what suits model and instance. The drafts depend on the seed alone. */
DIFFLNS_API difflns_status difflns_sample(const difflns_model *model, const difflns_instance *instance, int count,
                                          uint64_t seed, int steps, int horizon, int threads, difflns_drafts **out,
                                          difflns_error *err);
DIFFLNS_API void difflns_drafts_free(difflns_drafts *drafts);
DIFFLNS_API int difflns_drafts_count(const difflns_drafts *drafts);
/* The draft belongs to `drafts`; NULL if there is no such draft. */
DIFFLNS_API const difflns_plan *difflns_drafts_plan(const difflns_drafts *drafts, int index);
/* Log-probabilities [agents][horizon][tokens] of the clean actions at the last step; NULL if there is no such draft. */
DIFFLNS_API const float *difflns_drafts_log_probability(const difflns_drafts *drafts, int index, int *horizon,
                                                        int *tokens);

/* ---- Options -------------------------------------------------------------------------------------------------- */

/* A solver's options, by number from 0: the same names as on the command line and as Python keywords. */
typedef enum difflns_option_type {
    DIFFLNS_OPTION_INT = 0,
    DIFFLNS_OPTION_REAL = 1,
    DIFFLNS_OPTION_FLAG = 2,  /* "on" or "off", 1 or 0 */
    DIFFLNS_OPTION_CHOICE = 3 /* one of several words */
} difflns_option_type;

DIFFLNS_API int difflns_option_count(void);
/* NULL if there is no such option. */
DIFFLNS_API const char *difflns_option_name(int option);
DIFFLNS_API const char *difflns_option_help(int option);
/* DIFFLNS_OPTION_INT if there is no such option. */
DIFFLNS_API difflns_option_type difflns_option_kind(int option);
/* The words of a choice, "a|b|c"; NULL for other kinds. */
DIFFLNS_API const char *difflns_option_choices(int option);
/* The least and the greatest value of a number. BAD_INPUT for words and flags. */
DIFFLNS_API difflns_status difflns_option_bounds(int option, double *least, double *greatest, difflns_error *err);
/* Bytes that every option's value fits as text. */
#define DIFFLNS_OPTION_ROOM 64
/* Writes the default as text. BAD_INPUT if `room` is too small; DIFFLNS_OPTION_ROOM is enough. */
DIFFLNS_API difflns_status difflns_option_default(int option, char *text, size_t room, difflns_error *err);

/* ---- Solving -------------------------------------------------------------------------------------------------- */

/* Options, threads and working memory for one solve after the other. Working memory is kept: calls on maps of a size
 * seen before allocate little. */
typedef struct difflns_solver difflns_solver;

DIFFLNS_API difflns_status difflns_solver_create(difflns_solver **out, difflns_error *err);
DIFFLNS_API void difflns_solver_free(difflns_solver *solver);

/* Sets an option from text, as on the command line. Refuses unknown names and values out of range. */
DIFFLNS_API difflns_status difflns_solver_set(difflns_solver *solver, const char *name, const char *value,
                                              difflns_error *err);
/* The same for numbers and flags; a whole number for an integer option. */
DIFFLNS_API difflns_status difflns_solver_set_number(difflns_solver *solver, const char *name, double value,
                                                     difflns_error *err);
/* Writes the value as text. BAD_INPUT if there is no such option or `room` is too small; DIFFLNS_OPTION_ROOM
 * is enough. */
DIFFLNS_API difflns_status difflns_solver_get(const difflns_solver *solver, const char *name, char *text, size_t room,
                                              difflns_error *err);
/* For drafts; NULL: none. Not copied: must outlive the solver's calls. */
DIFFLNS_API difflns_status difflns_solver_set_model(difflns_solver *solver, const difflns_model *model,
                                                    difflns_error *err);
/* The plan to start from with `init` = "plan"; collisions are allowed. Not copied: must outlive the solver's calls. */
DIFFLNS_API difflns_status difflns_solver_set_start(difflns_solver *solver, const difflns_plan *plan,
                                                    difflns_error *err);

/* Non-zero: keep what the next plans grow from, for difflns_solver_start_plan. */
DIFFLNS_API difflns_status difflns_solver_keep_start(difflns_solver *solver, bool keep, difflns_error *err);

typedef enum difflns_event_type {
    DIFFLNS_EVENT_STARTED = 0,
    DIFFLNS_EVENT_REPAIRING = 1,   /* about ten times per second while there is no valid plan */
    DIFFLNS_EVENT_FIRST_PLAN = 2,  /* the first valid plan */
    DIFFLNS_EVENT_IMPROVING = 3,   /* about ten times per second while its cost is lowered */
    DIFFLNS_EVENT_BETTER_PLAN = 4, /* a cheaper valid plan */
    DIFFLNS_EVENT_FINISHED = 5
} difflns_event_type;

/* What a listener is told. Valid during the call only. */
typedef struct difflns_event difflns_event;

DIFFLNS_API difflns_event_type difflns_event_kind(const difflns_event *event);
/* Since the solve began. */
DIFFLNS_API double difflns_event_seconds(const difflns_event *event);
/* Colliding pairs left in the plan at hand; 0 once there is a valid plan. */
DIFFLNS_API int64_t difflns_event_conflicts(const difflns_event *event);
/* The cost of the plan at hand: colliding while repairing, the best valid one later; -1 = there is none. */
DIFFLNS_API int64_t difflns_event_soc(const difflns_event *event);
/* Iterations so far, of the thread that tells. */
DIFFLNS_API uint64_t difflns_event_iterations(const difflns_event *event);
/* A copy of the best valid plan, the caller's to free. UNSOLVED if there is none yet. */
DIFFLNS_API difflns_status difflns_event_plan(const difflns_event *event, difflns_plan **out, difflns_error *err);

/* Called from the solver's threads, one call at a time: be quick. It may call difflns_solver_stop. */
typedef void difflns_listener(void *user, const difflns_event *event);
/* NULL: nobody listens. */
DIFFLNS_API difflns_status difflns_solver_set_listener(difflns_solver *solver, difflns_listener *listener, void *user,
                                                       difflns_error *err);

/*
 * Finds a plan. OK: *out is valid (it passed the checker). UNSOLVED: no plan within the limits. UNSOLVABLE: there is
 * none, which is proved; the report says why. STOPPED: asked to stop; *out is the best valid plan, or NULL.
 * OUT_OF_MEMORY: no plan before memory ran out. The option `stop` says when a plan is handed over: "first", the first
 * valid one; "settled", the default, when more time would hardly lower its cost (it got less than 1 % cheaper during
 * the last third of the time, and half a second has gone into lowering it); "limit", at the limit. Whatever it says,
 * the limit holds, and a plan that is known to be the best ends the solve. With an iteration limit and the same seed
 * the result is the same, whatever the number of threads.
 */
DIFFLNS_API difflns_status difflns_solver_solve(difflns_solver *solver, const difflns_instance *instance,
                                                difflns_plan **out, difflns_error *err);
/* Asks the solve at work to stop soon: from any thread, a listener or a signal handler. Without one at work it does
 * nothing. */
DIFFLNS_API void difflns_solver_stop(difflns_solver *solver);
/* The plan with the fewest colliding pairs that the last solve saw; the caller's to free. For solves that found no
 * valid plan: see difflns_plan_safe_time. UNSOLVED if there is none. */
DIFFLNS_API difflns_status difflns_solver_colliding_plan(const difflns_solver *solver, difflns_plan **out,
                                                         difflns_error *err);
/* What the plan of the last solve grew from, collisions and all, if it was kept; the caller's to free. UNSOLVED if
 * there is none. */
DIFFLNS_API difflns_status difflns_solver_start_plan(const difflns_solver *solver, difflns_plan **out,
                                                     difflns_error *err);

/* ---- The report of the last solve ----------------------------------------------------------------------------- */

/* -1 where there is nothing to tell. */
DIFFLNS_API int64_t difflns_solver_soc(const difflns_solver *solver);
DIFFLNS_API int difflns_solver_makespan(const difflns_solver *solver);
DIFFLNS_API int64_t difflns_solver_first_soc(const difflns_solver *solver);
DIFFLNS_API int64_t difflns_solver_sum_of_distances(const difflns_solver *solver);
/* No plan costs less: the sum of distances, or with the option `bound` a better one. */
DIFFLNS_API int64_t difflns_solver_lower_bound(const difflns_solver *solver);
/* The plan costs at most this share of the lower bound more than the best one: 0.05 = 5 %, 0 = it is the best. */
DIFFLNS_API double difflns_solver_gap(const difflns_solver *solver);
DIFFLNS_API double difflns_solver_seconds(const difflns_solver *solver);
DIFFLNS_API double difflns_solver_first_seconds(const difflns_solver *solver);
DIFFLNS_API uint64_t difflns_solver_iterations(const difflns_solver *solver);
/* What the plan grew from, "pp" for example; "none" without a plan. */
DIFFLNS_API const char *difflns_solver_init(const difflns_solver *solver);
/* Why nothing was found; "" when solved. */
DIFFLNS_API const char *difflns_solver_reason(const difflns_solver *solver);
/* All of it as JSON, valid until the next solve: the same as the file of `difflns solve --report`. NULL before the
 * first solve and when memory is out. */
DIFFLNS_API const char *difflns_solver_report(difflns_solver *solver);

/* ---- Dependencies --------------------------------------------------------------------------------------------- */

/*
 * A plan as a partial order, for execution under delays: who may enter which cell only after whom. An executor that
 * keeps to it has neither collisions nor deadlocks, however late any agent is, and may drop planned waits.
 *
 * Steps count moves, not time: step k of an agent takes it from cell k - 1 to cell k of its path without waits
 * (difflns_dependencies_path).
 */
typedef struct difflns_dependencies difflns_dependencies;

/* `agent` may make its step number `step` only once `other` has made its step number `other_step`, or in the same
 * instant. Each step has at most one dependency. */
typedef struct difflns_dependency {
    int32_t agent, step;
    int32_t other, other_step;
    /* Agents that move around a full ring wait for each other: the steps of one rotation are made in the same instant
     * or not at all. Rotations are numbered from 0; -1 = none, then `other` may as well move first. */
    int32_t rotation;
} difflns_dependency;

/* Transitively reduced: nothing listed follows from the rest. BAD_INPUT: the plan is not the instance's, collides,
 * jumps or leaves the free cells. It may end before the goals. */
DIFFLNS_API difflns_status difflns_dependencies_create(const difflns_instance *instance, const difflns_plan *plan,
                                                       difflns_dependencies **out, difflns_error *err);
DIFFLNS_API void difflns_dependencies_free(difflns_dependencies *dependencies);
/* -1 for NULL. */
DIFFLNS_API int64_t difflns_dependencies_count(const difflns_dependencies *dependencies);
/* Copies all dependencies, in order of agent and step; BAD_INPUT if `room` is less than their number. */
DIFFLNS_API difflns_status difflns_dependencies_list(const difflns_dependencies *dependencies, difflns_dependency *list,
                                                     size_t room, difflns_error *err);
/* The number of steps of an agent; -1 if there is no such agent. */
DIFFLNS_API int difflns_dependencies_steps(const difflns_dependencies *dependencies, int agent);
/* Copies the path of an agent without waits, one cell more than it has steps; BAD_INPUT if `room` is less. */
DIFFLNS_API difflns_status difflns_dependencies_path(const difflns_dependencies *dependencies, int agent,
                                                     difflns_cell *cells, size_t room, difflns_error *err);
/*
 * Who may make a step in this instant: sets may_step[agent] to 1 or 0. `progress` holds the number of steps each agent
 * has made; delayed[agent] is non-zero if it can't move now (NULL = nobody). Everybody with a 1 must move: some enter
 * cells that others leave in the same instant. Allocates nothing.
 */
DIFFLNS_API difflns_status difflns_dependencies_next(const difflns_dependencies *dependencies, const int32_t *progress,
                                                     const uint8_t *delayed, uint8_t *may_step, difflns_error *err);

/* ---- Fleets --------------------------------------------------------------------------------------------------- */

/*
 * A fleet in motion: robots with positions, queues of goals and holds, and the plan that is being driven, mended tick
 * by tick. A controller's loop:
 *
 *     difflns_fleet_plan(fleet, 50, &err);        mends the plan, within 50 ms
 *     send every robot to difflns_fleet_next(fleet, robot)
 *     difflns_fleet_tick(fleet, &err);            time passes: everybody should be there now
 *     difflns_fleet_observe(fleet, robot, ...)    for each robot that is not
 *
 * Promise: after every plan, however short its time, the next steps of all robots are legal together from where they
 * are: nobody enters a cell that is not free or left in the same tick, no two exchange cells, nobody who is held moves.
 *
 * Robots are numbered from 0; the number of a robot that was removed may be given to one that is added later. A fleet
 * keeps its map alive and belongs to one thread at a time. Calls that fail leave the fleet as it was. A tick allocates
 * nothing once the fleet has its size and the map has the distances to the goals, unless its guidance changes costs.
 */
typedef struct difflns_fleet difflns_fleet;

DIFFLNS_API difflns_status difflns_fleet_create(difflns_map *map, difflns_fleet **out, difflns_error *err);
DIFFLNS_API void difflns_fleet_free(difflns_fleet *fleet);
/* Collisions are planned away so many steps ahead, at most 64; 0 = what suits most maps. The plan is made anew. */
DIFFLNS_API difflns_status difflns_fleet_set_window(difflns_fleet *fleet, int steps, difflns_error *err);
/* So many steps it is, also where 0 was set; -1 for NULL. */
DIFFLNS_API int difflns_fleet_window(const difflns_fleet *fleet);
/* 1 unless set. The same calls with the same seed give the same run if iterations, not time, limit each plan. */
DIFFLNS_API difflns_status difflns_fleet_set_seed(difflns_fleet *fleet, uint64_t seed, difflns_error *err);
/* Iterations of improvement per plan, at most; -1 = until it pays no more, the default; 0 = PIBT alone. */
DIFFLNS_API difflns_status difflns_fleet_set_iterations(difflns_fleet *fleet, int64_t iterations, difflns_error *err);

/* Traffic rules: which steps cost more than others, so that robots keep out of each other's way. "none"; "lanes" from
 * the map, parallel ways alternating, and the flow of the fleet; "traffic": the flow alone; the name of a file of costs
 * (docs/guidance.md); or "auto", the default: what serves best in simulations that the fleet runs in time that its
 * plans leave, begun with its first plan, and again when it reaches much fewer goals than before. Maps of more than
 * 131,072 free cells have none. BAD_INPUT: no such file, or one for another map. */
DIFFLNS_API difflns_status difflns_fleet_set_guidance(difflns_fleet *fleet, const char *guidance, difflns_error *err);

/* BAD_INPUT: the cell is no free one, or taken by a robot. Until the next plan everybody waits. */
DIFFLNS_API difflns_status difflns_fleet_add(difflns_fleet *fleet, difflns_cell at, int *robot, difflns_error *err);
DIFFLNS_API difflns_status difflns_fleet_remove(difflns_fleet *fleet, int robot, difflns_error *err);
/* How many there are; -1 for NULL. */
DIFFLNS_API int difflns_fleet_robots(const difflns_fleet *fleet);
/* Appends to the robot's queue. Several robots may have the same goal: they get there one after the other. A robot
 * without goals makes way for others. BAD_INPUT: no such robot, no free cell, or no way leads there. */
DIFFLNS_API difflns_status difflns_fleet_add_goal(difflns_fleet *fleet, int robot, difflns_cell goal,
                                                  difflns_error *err);
DIFFLNS_API difflns_status difflns_fleet_clear_goals(difflns_fleet *fleet, int robot, difflns_error *err);
/* The robot does not move before the tick `until`; until the next plan everybody waits. Held for 8 ticks or more it is
 * in the way: others take a detour where that is shorter, and for 64 or more its cell counts as closed. */
DIFFLNS_API difflns_status difflns_fleet_hold(difflns_fleet *fleet, int robot, int64_t until, difflns_error *err);
/* A step from a cell to its neighbor. */
typedef struct difflns_edge {
    difflns_cell from, to;
} difflns_edge;
/*
 * Closes cells and edges while the fleet drives: nobody enters such a cell or makes such a step from now on. An edge is
 * closed in the direction given, so that one entry makes a one-way street. A robot on a closed cell may stay there or
 * leave. Robots, goals and ticks stay; until the next plan everybody waits. Unblock opens them again; what was not
 * closed does no harm. BAD_INPUT: no free cell, no neighbors, or a map of more than 131,072 free cells.
 */
DIFFLNS_API difflns_status difflns_fleet_block(difflns_fleet *fleet, const difflns_cell *cells, size_t cell_count,
                                               const difflns_edge *edges, size_t edge_count, difflns_error *err);
DIFFLNS_API difflns_status difflns_fleet_unblock(difflns_fleet *fleet, const difflns_cell *cells, size_t cell_count,
                                                 const difflns_edge *edges, size_t edge_count, difflns_error *err);
/* A closed step: the robot that stands at its end and is held for 64 ticks or more, or -1 if it was blocked. */
typedef struct difflns_fleet_obstacle {
    difflns_edge step;
    int32_t robot;
} difflns_fleet_obstacle;
/* Is there no way to its goal, because of what is blocked and of robots that are held for 64 ticks or more? Then the
 * fewest steps that would have to open again, nearest first, up to `room` of them into `obstacles` (which may be NULL).
 * Returns how many; 0 = there is a way, or it has no goal; -1 if there is no such robot. True at once, before the next
 * plan, too. Meanwhile the robot makes way for others. */
DIFFLNS_API int difflns_fleet_blocked(const difflns_fleet *fleet, int robot, difflns_fleet_obstacle *obstacles,
                                      size_t room);
/* Goals left in its queue; -1 if there is no such robot. The first stays there until the next plan after it is reached.
 */
DIFFLNS_API int difflns_fleet_goals(const difflns_fleet *fleet, int robot);
/* Goal number `index` of its queue, 0 = where it is going; (-1, -1) if there is none. */
DIFFLNS_API difflns_cell difflns_fleet_goal(const difflns_fleet *fleet, int robot, int index);
/* Goals it has reached since it was added; -1 if there is no such robot. */
DIFFLNS_API int64_t difflns_fleet_reached(const difflns_fleet *fleet, int robot);
/* 1 if it can't reach its goal wherever the others go, because too few cells are free to let it pass: only robots that
 * are removed, or another goal, help. Found out when it has been on its way for 64 ticks and 8 for each robot (2
 * on maps with bridges); 0 until then, and otherwise. -1 if there is no such robot. */
DIFFLNS_API int difflns_fleet_stuck(const difflns_fleet *fleet, int robot);

/*
 * Says where a robot really is, when it is not where it should be after a tick. Robots that were to follow into a cell
 * that it has not left count as late, too, unless they were observed themselves. BAD_INPUT: no such robot, no free
 * cell, taken by another robot, or its goal can't be reached from there.
 */
DIFFLNS_API difflns_status difflns_fleet_observe(difflns_fleet *fleet, int robot, difflns_cell at, difflns_error *err);
/* Takes reached goals off the queues and mends the plan. Returns as soon as more time pays no more, or when the time is
 * up; the promise costs less than a microsecond per robot and step of the window, which is taken in any case. */
DIFFLNS_API difflns_status difflns_fleet_plan(difflns_fleet *fleet, double milliseconds, difflns_error *err);
/* Where the robot goes in this tick; its own cell means that it waits. (-1, -1) if there is no such robot. */
DIFFLNS_API difflns_cell difflns_fleet_next(const difflns_fleet *fleet, int robot);
/* All at once: where each robot is and where it goes in this tick, by their numbers from the lowest, up to `room` of
 * them into `moves` (which may be NULL). Returns how many robots there are; -1 for NULL. */
typedef struct difflns_fleet_move {
    int32_t robot;
    difflns_cell at, next;
} difflns_fleet_move;
DIFFLNS_API int difflns_fleet_moves(const difflns_fleet *fleet, difflns_fleet_move *moves, size_t room);
/* The robot on that cell, which must leave it first or in the same instant; -1 = nobody. Robots that leave for each
 * other's cells in a ring move in the same instant or not at all. */
DIFFLNS_API int difflns_fleet_after(const difflns_fleet *fleet, int robot);
/* Where the plan has it so many ticks from now: for display. After the plan's end, its last cell. */
DIFFLNS_API difflns_cell difflns_fleet_ahead(const difflns_fleet *fleet, int robot, int steps);
/* A tick passes: everybody is thought to be where difflns_fleet_next said. */
DIFFLNS_API difflns_status difflns_fleet_tick(difflns_fleet *fleet, difflns_error *err);
/* Where it is, as far as is known; (-1, -1) if there is no such robot. */
DIFFLNS_API difflns_cell difflns_fleet_at(const difflns_fleet *fleet, int robot);
/* Ticks so far; -1 for NULL. */
DIFFLNS_API int64_t difflns_fleet_now(const difflns_fleet *fleet);

/* ---- The page ------------------------------------------------------------------------------------------------- */

/*
 * Writes one self-contained HTML page that plays the plan, or two plans side by side (`second` may be NULL). Titles
 * may be NULL. "-" is standard output.
 */
DIFFLNS_API difflns_status difflns_page_write(const difflns_instance *instance, const difflns_plan *first,
                                              const char *first_title, const difflns_plan *second,
                                              const char *second_title, const char *path, difflns_error *err);
/* The same as text; release it with difflns_text_free. `size` may be NULL. */
DIFFLNS_API difflns_status difflns_page_print(const difflns_instance *instance, const difflns_plan *first,
                                              const char *first_title, const difflns_plan *second,
                                              const char *second_title, char **out, size_t *size, difflns_error *err);

#ifdef __cplusplus
}
#endif

#endif

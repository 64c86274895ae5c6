/* A session of difflns serve: a fleet whose robots have names. On top of difflns.h alone, like any user's program. */
#ifndef DL_SERVE_SESSION_H
#define DL_SERVE_SESSION_H

#include <stdbool.h>

#include "base/json.h"
#include "difflns.h"

/* What is known of a robot, by its number. */
typedef struct dl_serve_robot {
    char *name;          /* NULL = there is none of this number */
    int64_t reached;     /* goals whose event was told */
    bool stuck, blocked; /* as was told */
} dl_serve_robot;

typedef struct dl_serve {
    difflns_map *map;
    difflns_fleet *fleet; /* NULL = none is open */
    double deadline;      /* of a plan that names none, in milliseconds */
    json_t *number;       /* robots' numbers by name */
    int room;             /* robots that fit the arrays */
    dl_serve_robot *robot;
    difflns_fleet_move *move; /* scratch: where all are and go */
    int *on;                  /* scratch, all 0 between calls: by cell */
    int64_t plans, late, reached;
    double plan_ms, plan_ms_most; /* of all plans, of the longest */
} dl_serve;

/* Answers a line with one object, whatever the line holds. NULL when memory is out even for that. */
json_t *dl_serve_answer(dl_serve *session, const char *line, size_t size);
/* The answer to what is no request: {"ok":false,"error":message}. */
json_t *dl_serve_refusal(const char *message);
/* Ends the fleet, if one is open. */
void dl_serve_end(dl_serve *session);

/* Operations: each reads its request and adds to the answer. What fails leaves the fleet as it was. */
#define OP(name, ...)                                                                                                  \
    dl_status dl_serve_##name(dl_serve *session, const json_t *request, json_t *answer, dl_error *err);
#include "serve/ops.def"

#endif

/* Operations on the fleet and its robots. */
#include "serve/session.h"

#include <string.h>

#include "serve/request.h"

/* Longer holds than any fleet drives. */
static const int64_t MOST_TICKS = (int64_t)1 << 40;
/* What the library plans ahead, at most. */
static const int64_t MOST_STEPS = 64;

void dl_serve_end(dl_serve *session)
{
    for (int i = 0; i < session->room; i++) free(session->robot[i].name);
    free(session->robot);
    free(session->move);
    free(session->on);
    json_decref(session->number);
    difflns_fleet_free(session->fleet);
    difflns_map_free(session->map);
    *session = (dl_serve){0};
}

/* ---- The fleet ---- */

typedef struct fleet_options {
    const char *map, *map_name, *guidance;
    int64_t window, seed, iterations;
    double deadline;
} fleet_options;

static dl_status read_fleet_options(const json_t *request, fleet_options *out, dl_error *err)
{
    *out = (fleet_options){.seed = 1, .iterations = -1, .deadline = 100};
    DL_TRY(dl_serve_read_text(request, "map", &out->map, err));
    DL_TRY(dl_serve_read_text(request, "map_name", &out->map_name, err));
    DL_TRY(dl_serve_read_text(request, "guidance", &out->guidance, err));
    DL_TRY(dl_serve_read_whole(request, "window", 0, MOST_STEPS, &out->window, err));
    DL_TRY(dl_serve_read_whole(request, "seed", 0, INT64_MAX, &out->seed, err));
    DL_TRY(dl_serve_read_whole(request, "iterations", -1, INT64_MAX, &out->iterations, err));
    DL_TRY(dl_serve_read_real(request, "deadline_ms", 1e9, &out->deadline, err));
    return out->map ? DIFFLNS_OK : dl_fail(err, DIFFLNS_BAD_INPUT, "map: expected the name of a map's file");
}

static dl_status begin_session(const fleet_options *options, dl_serve *session, dl_error *err)
{
    DL_TRY(difflns_map_load(options->map, options->map_name, &session->map, err));
    DL_TRY(difflns_fleet_create(session->map, &session->fleet, err));
    DL_TRY(difflns_fleet_set_window(session->fleet, (int)options->window, err));
    DL_TRY(difflns_fleet_set_seed(session->fleet, (uint64_t)options->seed, err));
    DL_TRY(difflns_fleet_set_iterations(session->fleet, options->iterations, err));
    if (options->guidance) DL_TRY(difflns_fleet_set_guidance(session->fleet, options->guidance, err));
    session->deadline = options->deadline;
    session->number = json_object();
    session->on = DL_ARRAY(int, (size_t)difflns_map_height(session->map) * (size_t)difflns_map_width(session->map));
    return session->number && session->on ? DIFFLNS_OK : dl_out_of_memory(err);
}

dl_status dl_serve_open(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    if (session->fleet) return dl_fail(err, DIFFLNS_BAD_INPUT, "open: expected no open fleet; close it first");
    fleet_options options;
    DL_TRY(read_fleet_options(request, &options, err));
    dl_serve begun = {0};
    dl_status status = begin_session(&options, &begun, err);
    if (status == DIFFLNS_OK) status = dl_serve_put(answer, "version", json_string(difflns_version()), err);
    if (status == DIFFLNS_OK) status = dl_serve_put(answer, "robots", json_integer(0), err);
    if (status == DIFFLNS_OK)
        status = dl_serve_put(answer, "window", json_integer(difflns_fleet_window(begun.fleet)), err);
    if (status == DIFFLNS_OK)
        *session = begun;
    else
        dl_serve_end(&begun);
    return status;
}

dl_status dl_serve_close(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    (void)request, (void)answer, (void)err;
    dl_serve_end(session);
    return DIFFLNS_OK;
}

dl_status dl_serve_tick(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    (void)request;
    DL_TRY(difflns_fleet_tick(session->fleet, err));
    return dl_serve_put(answer, "now", json_integer(difflns_fleet_now(session->fleet)), err);
}

/* ---- Robots ---- */

static dl_status add_goals(difflns_fleet *fleet, int robot, const difflns_cell *goal, size_t count, dl_error *err)
{
    for (size_t i = 0; i < count; i++) DL_TRY(difflns_fleet_add_goal(fleet, robot, goal[i], err));
    return DIFFLNS_OK;
}

/* A name for the robot that was added, and room for what is known of it. */
static dl_status keep_name(dl_serve *session, int robot, const char *name, dl_error *err)
{
    int room = session->room;
    if (robot >= room) {
        int more = 2 * room > robot + 16 ? 2 * room : robot + 16;
        dl_serve_robot *known = dl_realloc(session->robot, (size_t)more, sizeof *known);
        if (!known) return dl_out_of_memory(err);
        session->robot = known;
        difflns_fleet_move *move = dl_realloc(session->move, (size_t)more, sizeof *move);
        if (!move) return dl_out_of_memory(err);
        session->move = move;
        memset(known + room, 0, (size_t)(more - room) * sizeof *known);
        session->room = more;
    }
    char *copy = dl_strdup(name);
    if (!copy || json_object_set_new(session->number, name, json_integer(robot)) != 0) {
        free(copy);
        return dl_out_of_memory(err);
    }
    session->robot[robot] = (dl_serve_robot){.name = copy};
    return DIFFLNS_OK;
}

static dl_status add_robot(dl_serve *session, const char *name, difflns_cell at, const difflns_cell *goal, size_t goals,
                           dl_error *err)
{
    int robot;
    DL_TRY(difflns_fleet_add(session->fleet, at, &robot, err));
    dl_status status = add_goals(session->fleet, robot, goal, goals, err);
    if (status == DIFFLNS_OK) status = keep_name(session, robot, name, err);
    if (status != DIFFLNS_OK) difflns_fleet_remove(session->fleet, robot, NULL);
    return status;
}

dl_status dl_serve_add(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    const char *name = NULL;
    difflns_cell at, *goal;
    size_t goals;
    DL_TRY(dl_serve_read_text(request, "robot", &name, err));
    if (!name) return dl_fail(err, DIFFLNS_BAD_INPUT, "robot: expected a name for the robot");
    if (json_object_get(session->number, name))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%.80s: expected a new name; there is such a robot", name);
    DL_TRY(dl_serve_read_cell(json_object_get(request, "at"), "at", &at, err));
    DL_TRY(dl_serve_read_cells(request, "goals", &goal, &goals, err));
    dl_status status = add_robot(session, name, at, goal, goals, err);
    free(goal);
    DL_TRY(status);
    return dl_serve_put(answer, "robots", json_integer(difflns_fleet_robots(session->fleet)), err);
}

dl_status dl_serve_remove(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    int robot;
    DL_TRY(dl_serve_read_robot(session, request, &robot, err));
    DL_TRY(difflns_fleet_remove(session->fleet, robot, err));
    dl_serve_robot *known = &session->robot[robot];
    json_object_del(session->number, known->name);
    free(known->name);
    *known = (dl_serve_robot){0};
    return dl_serve_put(answer, "robots", json_integer(difflns_fleet_robots(session->fleet)), err);
}

/* The queue as it was. */
static void put_goals_back(difflns_fleet *fleet, int robot, const difflns_cell *goal, size_t count)
{
    if (difflns_fleet_clear_goals(fleet, robot, NULL) == DIFFLNS_OK) (void)add_goals(fleet, robot, goal, count, NULL);
}

dl_status dl_serve_goals(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    int robot;
    bool replace = false;
    difflns_cell *goal;
    size_t count;
    DL_TRY(dl_serve_read_robot(session, request, &robot, err));
    DL_TRY(dl_serve_read_flag(request, "replace", &replace, err));
    if (!json_object_get(request, "goals"))
        return dl_fail(err, DIFFLNS_BAD_INPUT, "goals: expected a list of cells, [[row, col], ...]");
    DL_TRY(dl_serve_read_cells(request, "goals", &goal, &count, err));
    int before = difflns_fleet_goals(session->fleet, robot);
    difflns_cell *old = DL_ARRAY(difflns_cell, before);
    dl_status status = old ? DIFFLNS_OK : dl_out_of_memory(err);
    for (int i = 0; old && i < before; i++) old[i] = difflns_fleet_goal(session->fleet, robot, i);
    if (status == DIFFLNS_OK && replace) status = difflns_fleet_clear_goals(session->fleet, robot, err);
    if (status == DIFFLNS_OK) {
        status = add_goals(session->fleet, robot, goal, count, err);
        if (status != DIFFLNS_OK) put_goals_back(session->fleet, robot, old, (size_t)before);
    }
    free(old);
    free(goal);
    DL_TRY(status);
    return dl_serve_put(answer, "goals", json_integer(difflns_fleet_goals(session->fleet, robot)), err);
}

dl_status dl_serve_hold(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    int robot;
    int64_t ticks = -1;
    DL_TRY(dl_serve_read_robot(session, request, &robot, err));
    DL_TRY(dl_serve_read_whole(request, "ticks", 0, MOST_TICKS, &ticks, err));
    if (ticks < 0) return dl_fail(err, DIFFLNS_BAD_INPUT, "ticks: expected a number of ticks, 0 to let it go");
    int64_t until = difflns_fleet_now(session->fleet) + ticks;
    DL_TRY(difflns_fleet_hold(session->fleet, robot, until, err));
    return dl_serve_put(answer, "until", json_integer(until), err);
}

dl_status dl_serve_ahead(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    int robot;
    int64_t steps = difflns_fleet_window(session->fleet);
    DL_TRY(dl_serve_read_robot(session, request, &robot, err));
    DL_TRY(dl_serve_read_whole(request, "steps", 1, MOST_STEPS, &steps, err));
    json_t *cells = json_array();
    DL_TRY(dl_serve_put(answer, "ahead", cells, err));
    for (int i = 1; i <= steps; i++)
        if (json_array_append_new(cells, dl_serve_cell(difflns_fleet_ahead(session->fleet, robot, i))) != 0)
            return dl_out_of_memory(err);
    return DIFFLNS_OK;
}

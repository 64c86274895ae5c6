/* Plans, what happened by them, and figures of them. */
#include "base/clock.h"
#include "serve/request.h"

/* A plan this much longer than its deadline is late, in milliseconds. */
static const double GRACE_MS = 1;

static void count_plan(dl_serve *session, double ms, double deadline)
{
    session->plans++;
    session->late += ms > deadline + GRACE_MS;
    session->plan_ms += ms;
    if (ms > session->plan_ms_most) session->plan_ms_most = ms;
}

/* What the robot is told to have gone through since the last plan. A plan takes one goal off a queue at most, that on
 * which the robot is. */
static dl_status add_events(dl_serve *session, const difflns_fleet_move *move, json_t *events, dl_error *err)
{
    dl_serve_robot *known = &session->robot[move->robot];
    int64_t reached = difflns_fleet_reached(session->fleet, move->robot);
    bool stuck = difflns_fleet_stuck(session->fleet, move->robot) > 0;
    for (; known->reached < reached; known->reached++, session->reached++) {
        json_t *event =
            json_pack("{s:s, s:s, s:o}", "event", "reached", "robot", known->name, "goal", dl_serve_cell(move->at));
        if (json_array_append_new(events, event) != 0) return dl_out_of_memory(err);
    }
    if (stuck != known->stuck) {
        json_t *event = json_pack("{s:s, s:s}", "event", stuck ? "stuck" : "unstuck", "robot", known->name);
        if (json_array_append_new(events, event) != 0) return dl_out_of_memory(err);
        known->stuck = stuck;
    }
    return DIFFLNS_OK;
}

/* Whose robots and which cells are in its way, nearest first. */
static json_t *tell_blocked(const dl_serve *session, int robot)
{
    enum { MOST = 16 };
    difflns_fleet_obstacle obstacle[MOST];
    int count = difflns_fleet_blocked(session->fleet, robot, obstacle, MOST);
    json_t *by = json_array(), *cells = json_array();
    for (int i = 0; i < count && i < MOST; i++) {
        if (obstacle[i].robot >= 0)
            json_array_append_new(by, json_string(session->robot[obstacle[i].robot].name));
        else
            json_array_append_new(cells, dl_serve_cell(obstacle[i].step.to));
    }
    return json_pack("{s:s, s:s, s:o, s:o}", "event", "blocked", "robot", session->robot[robot].name, "by", by, "cells",
                     cells);
}

/* Only of robots that stand, and of those that were blocked: the library looks for a way each time it is asked. */
static dl_status add_blocked(dl_serve *session, const difflns_fleet_move *move, json_t *events, dl_error *err)
{
    dl_serve_robot *known = &session->robot[move->robot];
    bool moves = move->at.row != move->next.row || move->at.col != move->next.col;
    if (moves && !known->blocked) return DIFFLNS_OK;
    bool blocked = difflns_fleet_blocked(session->fleet, move->robot, NULL, 0) > 0;
    if (blocked == known->blocked) return DIFFLNS_OK;
    known->blocked = blocked;
    json_t *event = blocked ? tell_blocked(session, move->robot)
                            : json_pack("{s:s, s:s}", "event", "unblocked", "robot", known->name);
    return json_array_append_new(events, event) == 0 ? DIFFLNS_OK : dl_out_of_memory(err);
}

static dl_status add_moves(dl_serve *session, bool all, json_t *next, json_t *events, dl_error *err)
{
    int count = difflns_fleet_moves(session->fleet, session->move, (size_t)session->room);
    for (int i = 0; i < count; i++) {
        const difflns_fleet_move *move = &session->move[i];
        if (all || move->at.row != move->next.row || move->at.col != move->next.col)
            DL_TRY(dl_serve_put(next, session->robot[move->robot].name, dl_serve_cell(move->next), err));
        DL_TRY(add_events(session, move, events, err));
        DL_TRY(add_blocked(session, move, events, err));
    }
    return DIFFLNS_OK;
}

dl_status dl_serve_plan(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    double deadline = session->deadline;
    bool all = false;
    DL_TRY(dl_serve_read_real(request, "deadline_ms", 1e9, &deadline, err));
    DL_TRY(dl_serve_read_flag(request, "all", &all, err));
    double begin = dl_now();
    DL_TRY(difflns_fleet_plan(session->fleet, deadline, err));
    double ms = 1e3 * (dl_now() - begin);
    count_plan(session, ms, deadline);
    json_t *next = json_object(), *events = json_array();
    dl_status status = dl_serve_put(answer, "plan_ms", dl_json_rounded(ms, 3), err);
    if (status == DIFFLNS_OK && !(next && events)) status = dl_out_of_memory(err);
    if (status == DIFFLNS_OK) status = add_moves(session, all, next, events, err);
    if (status == DIFFLNS_OK) status = dl_serve_put(answer, "next", json_incref(next), err);
    if (status == DIFFLNS_OK) status = dl_serve_put(answer, "events", json_incref(events), err);
    json_decref(next);
    json_decref(events);
    return status;
}

static dl_status report_robot(dl_serve *session, int robot, json_t *answer, dl_error *err)
{
    const difflns_fleet *fleet = session->fleet;
    DL_TRY(dl_serve_put(answer, "at", dl_serve_cell(difflns_fleet_at(fleet, robot)), err));
    DL_TRY(dl_serve_put(answer, "next", dl_serve_cell(difflns_fleet_next(fleet, robot)), err));
    json_t *goals = json_array();
    DL_TRY(dl_serve_put(answer, "goals", goals, err));
    for (int i = 0; i < difflns_fleet_goals(fleet, robot); i++)
        if (json_array_append_new(goals, dl_serve_cell(difflns_fleet_goal(fleet, robot, i))) != 0)
            return dl_out_of_memory(err);
    DL_TRY(dl_serve_put(answer, "reached", json_integer(difflns_fleet_reached(fleet, robot)), err));
    return dl_serve_put(answer, "stuck", json_boolean(difflns_fleet_stuck(fleet, robot) > 0), err);
}

dl_status dl_serve_report(dl_serve *session, const json_t *request, json_t *answer, dl_error *err)
{
    if (json_object_get(request, "robot")) {
        int robot;
        DL_TRY(dl_serve_read_robot(session, request, &robot, err));
        return report_robot(session, robot, answer, err);
    }
    double mean = session->plans > 0 ? session->plan_ms / (double)session->plans : 0;
    DL_TRY(dl_serve_put(answer, "now", json_integer(difflns_fleet_now(session->fleet)), err));
    DL_TRY(dl_serve_put(answer, "robots", json_integer(difflns_fleet_robots(session->fleet)), err));
    DL_TRY(dl_serve_put(answer, "window", json_integer(difflns_fleet_window(session->fleet)), err));
    DL_TRY(dl_serve_put(answer, "reached", json_integer(session->reached), err));
    DL_TRY(dl_serve_put(answer, "plans", json_integer(session->plans), err));
    DL_TRY(dl_serve_put(answer, "late", json_integer(session->late), err));
    DL_TRY(dl_serve_put(answer, "plan_ms_mean", dl_json_rounded(mean, 3), err));
    return dl_serve_put(answer, "plan_ms_max", dl_json_rounded(session->plan_ms_most, 3), err);
}

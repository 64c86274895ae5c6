/* The public interface: a solver is options, what they refer to, and the report of its last solve. */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/busy.h"
#include "base/memory.h"
#include "solver/api.h"
#include "solver/event.h"
#include "solver/report_json.h"
#include "solver/scratch.h"
#include "solver/solve.h"

/* What `stop` of a solver says. Only a solve at work can be stopped: who stops an idle solver, or comes too late, does
 * not stop the next solve. */
enum { WORKING = 0, STOPPING = 1, IDLE = 2 };

struct difflns_solver {
    dl_busy busy; /* a call is at work; the solver is that call's alone */
    dl_options options;
    const dl_plan *start;       /* the caller's */
    const difflns_model *model; /* the caller's */
    bool keep_start;
    difflns_listener *listener;
    void *user;
    atomic_int stop;
    dl_scratch scratch;
    dl_report report;
    char *json; /* the report as text, made when first asked for */
    dl_report_context context;
};

/* ---- the table of options ---- */

int difflns_option_count(void)
{
    int count = 0;
    while (dl_option_at(count)) count++;
    return count;
}

static const dl_option *row_of(int option)
{
    return option < 0 || option >= difflns_option_count() ? NULL : dl_option_at(option);
}

const char *difflns_option_name(int option)
{
    const dl_option *row = row_of(option);
    return row ? row->name : NULL;
}

const char *difflns_option_help(int option)
{
    const dl_option *row = row_of(option);
    return row ? row->help : NULL;
}

difflns_option_type difflns_option_kind(int option)
{
    const dl_option *row = row_of(option);
    if (!row) return DIFFLNS_OPTION_INT;
    switch (row->type) {
    case DL_OPTION_REAL:
        return DIFFLNS_OPTION_REAL;
    case DL_OPTION_FLAG:
        return DIFFLNS_OPTION_FLAG;
    case DL_OPTION_CHOICE:
        return DIFFLNS_OPTION_CHOICE;
    case DL_OPTION_INT:
    case DL_OPTION_COUNT:
        break;
    }
    return DIFFLNS_OPTION_INT;
}

difflns_status difflns_option_bounds(int option, double *least, double *greatest, difflns_error *err)
{
    DL_REQUIRE(least);
    DL_REQUIRE(greatest);
    const dl_option *row = row_of(option);
    if (!row) return dl_fail(err, DIFFLNS_BAD_INPUT, "there is no option number %d", option);
    if (row->type == DL_OPTION_FLAG || row->type == DL_OPTION_CHOICE)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: its values are words", row->name);
    *least = row->type == DL_OPTION_REAL ? row->real.low : (double)row->whole.low;
    *greatest = row->type == DL_OPTION_REAL ? row->real.high : (double)row->whole.high;
    return DIFFLNS_OK;
}

const char *difflns_option_choices(int option)
{
    const dl_option *row = row_of(option);
    return row && row->type == DL_OPTION_CHOICE ? row->argument : NULL;
}

static dl_status write_value(const dl_option *row, const dl_options *options, char *text, size_t room, dl_error *err)
{
    char value[DL_OPTION_TEXT];
    dl_option_text(row, options, value);
    if (strlen(value) >= room)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: room for %zu bytes: expected %d", row->name, room, DL_OPTION_TEXT);
    memcpy(text, value, strlen(value) + 1);
    return DIFFLNS_OK;
}

difflns_status difflns_option_default(int option, char *text, size_t room, difflns_error *err)
{
    DL_REQUIRE(text);
    const dl_option *row = row_of(option);
    if (!row) return dl_fail(err, DIFFLNS_BAD_INPUT, "there is no option number %d", option);
    dl_options usual;
    dl_options_default(&usual);
    return write_value(row, &usual, text, room, err);
}

/* ---- a solver ---- */

static void solver_forget(difflns_solver *solver)
{
    dl_report_free(&solver->report);
    free(solver->json);
    solver->json = NULL;
    solver->report =
        (dl_report){.soc = -1, .first_soc = -1, .sum_of_distances = -1, .lower_bound = -1, .first_seconds = -1};
    solver->context = (dl_report_context){0};
}

difflns_status difflns_solver_create(difflns_solver **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    difflns_solver *solver = DL_NEW(difflns_solver);
    if (!solver) return dl_out_of_memory(err);
    dl_options_default(&solver->options);
    atomic_init(&solver->stop, IDLE);
    solver_forget(solver);
    *out = solver;
    return DIFFLNS_OK;
}

void difflns_solver_free(difflns_solver *solver)
{
    if (!solver) return;
    solver_forget(solver);
    dl_scratch_free(&solver->scratch);
    free(solver);
}

/* Refuses NULL, and a second call while one is at work; else the solver is the caller's until it leaves. A solver is
 * never a constant object, whatever the type of those who only ask. */
#define ENTER(solver)                                                                                                  \
    do {                                                                                                               \
        DL_REQUIRE(solver);                                                                                            \
        DL_BUSY_ENTER(&((difflns_solver *)(solver))->busy, "solver");                                                  \
    } while (0)

static dl_status solver_leave(const difflns_solver *solver, dl_status status)
{
    return dl_busy_left(&((difflns_solver *)solver)->busy, status);
}

static dl_status find_row(const char *name, const dl_option **row, dl_error *err)
{
    *row = dl_option_find(name);
    if (!*row) return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: there is no such option", name);
    return DIFFLNS_OK;
}

difflns_status difflns_solver_set(difflns_solver *solver, const char *name, const char *value, difflns_error *err)
{
    DL_REQUIRE(name);
    DL_REQUIRE(value);
    const dl_option *row;
    DL_TRY(find_row(name, &row, err));
    ENTER(solver);
    return solver_leave(solver, dl_option_set_text(row, &solver->options, value, err));
}

difflns_status difflns_solver_set_number(difflns_solver *solver, const char *name, double value, difflns_error *err)
{
    DL_REQUIRE(name);
    const dl_option *row;
    DL_TRY(find_row(name, &row, err));
    ENTER(solver);
    return solver_leave(solver, dl_option_set_real(row, &solver->options, value, err));
}

difflns_status difflns_solver_get(const difflns_solver *solver, const char *name, char *text, size_t room,
                                  difflns_error *err)
{
    DL_REQUIRE(name);
    DL_REQUIRE(text);
    const dl_option *row;
    DL_TRY(find_row(name, &row, err));
    ENTER(solver);
    return solver_leave(solver, write_value(row, &solver->options, text, room, err));
}

difflns_status difflns_solver_set_model(difflns_solver *solver, const difflns_model *model, difflns_error *err)
{
    ENTER(solver);
    solver->model = model;
    return solver_leave(solver, DIFFLNS_OK);
}

difflns_status difflns_solver_set_start(difflns_solver *solver, const difflns_plan *plan, difflns_error *err)
{
    ENTER(solver);
    solver->start = plan;
    return solver_leave(solver, DIFFLNS_OK);
}

difflns_status difflns_solver_keep_start(difflns_solver *solver, bool keep, difflns_error *err)
{
    ENTER(solver);
    solver->keep_start = keep;
    return solver_leave(solver, DIFFLNS_OK);
}

difflns_status difflns_solver_set_listener(difflns_solver *solver, difflns_listener *listener, void *user,
                                           difflns_error *err)
{
    ENTER(solver);
    solver->listener = listener;
    solver->user = user;
    return solver_leave(solver, DIFFLNS_OK);
}

difflns_status difflns_solver_solve(difflns_solver *solver, const difflns_instance *instance, difflns_plan **out,
                                    difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(instance);
    ENTER(solver);
    assert(atomic_load(&solver->stop) == IDLE);
    solver_forget(solver);
    atomic_store(&solver->stop, WORKING);
    dl_solve_input input = {.instance = instance,
                            .options = &solver->options,
                            .init_plan = solver->start,
                            .model = solver->model,
                            .keep_start = solver->keep_start,
                            .stop = &solver->stop,
                            .listener = solver->listener,
                            .user = solver->user,
                            .scratch = &solver->scratch};
    dl_status status = dl_solve(&input, out, &solver->report, err);
    assert(status != DIFFLNS_OK || (*out && solver->report.soc == dl_plan_soc(*out)));
    assert((status != DIFFLNS_UNSOLVED && status != DIFFLNS_UNSOLVABLE) || !*out);
    assert(solver->report.lower_bound <= solver->report.soc || solver->report.soc < 0);
    atomic_store(&solver->stop, IDLE);
    solver->context = (dl_report_context){
        .status = status, .has_plan = *out != NULL, .agents = instance->agents, .seed = solver->options.seed};
    return solver_leave(solver, status);
}

void difflns_solver_stop(difflns_solver *solver)
{
    int working = WORKING;
    if (solver) atomic_compare_exchange_strong(&solver->stop, &working, STOPPING);
}

/* ---- the report ---- */

static dl_status hand_over_copy(const dl_plan *plan, const char *none, dl_plan **out, dl_error *err)
{
    if (!plan) return dl_fail(err, DIFFLNS_UNSOLVED, "%s", none);
    *out = dl_plan_copy(plan);
    return *out ? DIFFLNS_OK : dl_out_of_memory(err);
}

difflns_status difflns_solver_colliding_plan(const difflns_solver *solver, difflns_plan **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    ENTER(solver);
    return solver_leave(solver,
                        hand_over_copy(solver->report.colliding, "the last solve left no colliding plan", out, err));
}

difflns_status difflns_solver_start_plan(const difflns_solver *solver, difflns_plan **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    ENTER(solver);
    return solver_leave(solver, hand_over_copy(solver->report.start, "the last solve kept no start", out, err));
}

/* The report of the last solve; NULL while one is at work. */
static const dl_report *report_of(const difflns_solver *solver)
{
    return solver && atomic_load(&solver->stop) == IDLE ? &solver->report : NULL;
}

int64_t difflns_solver_soc(const difflns_solver *solver)
{
    const dl_report *report = report_of(solver);
    return report ? report->soc : -1;
}

int difflns_solver_makespan(const difflns_solver *solver)
{
    const dl_report *report = report_of(solver);
    return report && report->soc >= 0 ? report->makespan : -1;
}

int64_t difflns_solver_first_soc(const difflns_solver *solver)
{
    const dl_report *report = report_of(solver);
    return report ? report->first_soc : -1;
}

int64_t difflns_solver_sum_of_distances(const difflns_solver *solver)
{
    const dl_report *report = report_of(solver);
    return report ? report->sum_of_distances : -1;
}

int64_t difflns_solver_lower_bound(const difflns_solver *solver)
{
    const dl_report *report = report_of(solver);
    return report ? report->lower_bound : -1;
}

double difflns_solver_gap(const difflns_solver *solver)
{
    const dl_report *report = report_of(solver);
    return report ? dl_report_gap(report) : -1;
}

double difflns_solver_seconds(const difflns_solver *solver)
{
    const dl_report *report = report_of(solver);
    return report ? report->seconds : -1;
}

double difflns_solver_first_seconds(const difflns_solver *solver)
{
    const dl_report *report = report_of(solver);
    return report ? report->first_seconds : -1;
}

uint64_t difflns_solver_iterations(const difflns_solver *solver)
{
    const dl_report *report = report_of(solver);
    return report ? report->repair_iterations + report->improve_iterations : 0;
}

const char *difflns_solver_init(const difflns_solver *solver)
{
    const dl_report *report = report_of(solver);
    return report && report->soc >= 0 ? report->init : "none";
}

const char *difflns_solver_reason(const difflns_solver *solver)
{
    const dl_report *report = report_of(solver);
    return report ? report->reason : "";
}

const char *difflns_solver_report(difflns_solver *solver)
{
    if (!solver || !dl_busy_enter(&solver->busy)) return NULL;
    bool told = solver->context.agents > 0;
    if (told && !solver->json) solver->json = dl_report_json(&solver->report, &solver->context);
    const char *json = told ? solver->json : NULL;
    dl_busy_leave(&solver->busy);
    return json;
}

/* ---- events ---- */

difflns_event_type difflns_event_kind(const difflns_event *event)
{
    return event ? event->type : DIFFLNS_EVENT_FINISHED;
}

double difflns_event_seconds(const difflns_event *event)
{
    return event ? event->seconds : -1;
}

int64_t difflns_event_conflicts(const difflns_event *event)
{
    return event ? event->conflicts : -1;
}

int64_t difflns_event_soc(const difflns_event *event)
{
    return event ? event->soc : -1;
}

uint64_t difflns_event_iterations(const difflns_event *event)
{
    return event ? event->iterations : 0;
}

difflns_status difflns_event_plan(const difflns_event *event, difflns_plan **out, difflns_error *err)
{
    DL_REQUIRE_OUT(out);
    DL_REQUIRE(event);
    return event->copy_best(event->solve, out, err);
}

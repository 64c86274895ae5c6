/* difflns solve: the main job. One line on stdout, the plan and the report in files. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "mapf/collisions.h"
#include "memory/need.h"
#include "page/page.h"
#include "solver/report_json.h"
#include "solver/solve.h"
#include "start/start.h"

/* One line that changes about ten times per second. */
static void show_progress(void *user, const difflns_event *event)
{
    (void)user;
    double seconds = difflns_event_seconds(event), rate = (double)difflns_event_iterations(event) / (seconds + 1e-9);
    long long cost = (long long)difflns_event_soc(event), conflicts = (long long)difflns_event_conflicts(event);
    if (difflns_event_kind(event) == DIFFLNS_EVENT_REPAIRING)
        fprintf(stderr, "\r%6.1f s  repair: %lld conflicts, cost %lld, %.0f iterations/s\033[K", seconds, conflicts,
                cost, rate);
    else if (difflns_event_kind(event) == DIFFLNS_EVENT_IMPROVING)
        fprintf(stderr, "\r%6.1f s  improve: cost %lld, %.0f iterations/s\033[K", seconds, cost, rate);
}

static void print_line(const char *status, const dl_report *r)
{
    printf("status=%s soc=%lld makespan=%d seconds=%.2f first_seconds=%.2f init=%s candidates=%d iterations=%llu%s\n",
           status, (long long)r->soc, r->soc < 0 ? -1 : r->makespan, r->seconds, r->first_seconds, r->init,
           r->candidates, (unsigned long long)r->repair_iterations + (unsigned long long)r->improve_iterations,
           dl_report_optimal(r) ? " optimal=yes" : "");
}

static difflns_status write_report(const options *opts, const dl_report *report, const dl_report_context *context,
                                   difflns_error *err)
{
    char *text = dl_report_json(report, context);
    if (!text) return dl_out_of_memory(err);
    dl_output out;
    difflns_status status = dl_output_open(&out, opts->report, err);
    if (status == DIFFLNS_OK) {
        fprintf(out.stream, "%s\n", text);
        status = dl_output_commit(&out, err);
    }
    free(text);
    return status;
}

/* What a start is called on a page. */
static const char *start_title(const char *init)
{
    const dl_start *start = dl_start_find(init);
    return start ? start->title : "Push and swap";
}

/* The start beside the plan that grew from it; the plan alone if the start was as good. */
static difflns_status write_page(const options *opts, const difflns_instance *instance, const difflns_plan *plan,
                                 const dl_report *r, difflns_error *err)
{
    char left_title[80], note[120];
    dl_collisions collisions = {0};
    if (r->start) need(dl_plan_collisions(instance, r->start, &collisions));
    int64_t pairs = collisions.pairs;
    bool is_improved = r->improve_iterations > 0 && r->soc < r->first_soc;
    bool has_grown = r->start && (pairs > 0 || is_improved);
    const char *title = !has_grown    ? NULL
                        : pairs == 0  ? "Improved"
                        : is_improved ? "Repaired and improved"
                                      : "Repaired";
    int used = snprintf(left_title, sizeof left_title, "%s", start_title(r->init));
    if (pairs > 0)
        snprintf(left_title + used, sizeof left_title - (size_t)used, ", %lld colliding pair%s", (long long)pairs,
                 pairs == 1 ? "" : "s");
    snprintf(note, sizeof note, "first plan after %.2f s, %llu iterations in all", r->first_seconds,
             (unsigned long long)r->repair_iterations + (unsigned long long)r->improve_iterations);
    dl_page_plan shown[2] = {{r->start, left_title, NULL}, {plan, title, note}};
    dl_page page = {.instance = instance, .count = has_grown ? 2 : 1, .plans = has_grown ? shown : shown + 1};
    return dl_page_write(&page, opts->page, err);
}

/* Loads the weights where drafts are wanted: when asked for, the shipped ones if none are named; for AUTO
 * only named ones, until drafts measure better there than its other starts; if they can't be read, AUTO uses those.
 * Returns 0 or the exit status. */
static int load_model(const options *opts, difflns_model **model)
{
    *model = NULL;
    const dl_start *asked = dl_start_at(opts->solver.init - 1);
    bool is_asked_for = asked && asked->needs == DL_START_NEEDS_A_MODEL;
    bool by_auto = !is_asked_for && !asked && opts->model;
    if (!by_auto && !is_asked_for) return 0;
    difflns_error err;
    if (difflns_model_load(opts->model, model, &err) == DIFFLNS_OK) return 0;
    if (!by_auto) return cli_fail(&err);
    if (!opts->quiet) fprintf(stderr, "difflns: warning: %s; continuing without drafts\n", err.message);
    return 0;
}

static dl_solve_input input_of(const options *opts, const difflns_instance *instance, const difflns_plan *init_plan,
                               const difflns_model *model)
{
    return (dl_solve_input){.instance = instance,
                            .options = &opts->solver,
                            .init_plan = init_plan,
                            .model = model,
                            .keep_start = opts->page != NULL,
                            .stop = terminal_catch_signals(),
                            .listener = !opts->quiet && isatty(STDERR_FILENO) ? show_progress : NULL};
}

/* The exit status that goes with how the search ended and what could be written. */
static int exit_status(difflns_status status, const difflns_plan *plan, const difflns_error *err)
{
    if (terminal_signal_status()) return terminal_signal_status();
    if (plan) return 0;
    if (status == DIFFLNS_UNSOLVED || status == DIFFLNS_UNSOLVABLE) {
        fprintf(stderr, "difflns: %s\n", err->message);
        return status == DIFFLNS_UNSOLVABLE ? 3 : 1;
    }
    return cli_fail(err);
}

static int solve(const options *opts, const difflns_instance *instance, const difflns_plan *init_plan,
                 const difflns_model *model)
{
    dl_solve_input input = input_of(opts, instance, init_plan, model);
    difflns_plan *plan;
    dl_report report;
    difflns_error err, write_err;
    difflns_status status = dl_solve(&input, &plan, &report, &err);
    if (input.listener) fputs("\r\033[K", stderr);
    if (status == DIFFLNS_BAD_INPUT || status == DIFFLNS_INTERNAL) {
        difflns_plan_free(plan);
        dl_report_free(&report);
        return cli_fail(&err);
    }
    const dl_start *asked = dl_start_at(opts->solver.init - 1);
    if (!plan && asked) report.init = asked->name; /* no start has won: what was asked for */
    dl_report_context context = {status, plan != NULL, instance->agents, opts->solver.seed};
    print_line(dl_report_status(&context), &report);
    fflush(stdout);
    difflns_status written = DIFFLNS_OK;
    if (plan && opts->out_solution)
        written = difflns_plan_write(instance, plan, (difflns_format)opts->format, opts->out_solution, &write_err);
    if (plan && written == DIFFLNS_OK && opts->page) written = write_page(opts, instance, plan, &report, &write_err);
    if (written == DIFFLNS_OK && opts->report) written = write_report(opts, &report, &context, &write_err);
    int result = written == DIFFLNS_OK ? exit_status(status, plan, &err) : cli_fail(&write_err);
    difflns_plan_free(plan);
    dl_report_free(&report);
    return result;
}

int cli_solve(const options *opts)
{
    const dl_start *asked = dl_start_at(opts->solver.init - 1);
    bool from_plan = asked && asked->needs == DL_START_NEEDS_A_PLAN;
    if (from_plan && !opts->init_plan) return cli_usage("solve: --init-plan: expected a file for --init plan");
    if (!from_plan && opts->init_plan) return cli_usage("solve: --init-plan: expected --init plan with it");
    const char *outputs[] = {opts->out_solution, opts->page, opts->report};
    const char *inputs[] = {opts->map, opts->scen, opts->init_plan, opts->model};
    int status = cli_check_outputs("solve", outputs, 3, inputs, 4);
    if (status) return status;
    difflns_instance *instance;
    difflns_plan *init_plan = NULL;
    difflns_model *model = NULL;
    status = cli_load(opts, "solve", &instance);
    if (status) return status;
    if (from_plan) status = cli_read_plan(opts, instance, opts->init_plan, &init_plan);
    if (status == 0) status = load_model(opts, &model);
    if (status == 0) status = solve(opts, instance, init_plan, model);
    difflns_model_free(model);
    difflns_plan_free(init_plan);
    difflns_instance_free(instance);
    return status;
}

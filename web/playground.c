/* The library for the playground's worker (worker.js). A desk holds an instance, a plan and a model; each request is a
 * call with numbers and text that returns a status, each answer is text. */
#include <difflns.h>
#include <emscripten.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "base/print.h"
#include "diffusion/sampler.h"
#include "page/page_data.h"

/* Distance fields beyond this are given back: a page should not take all it could. */
static const size_t FIELD_BYTES = (size_t)128 << 20;
/* Plans are told at intervals of at least this, and so many times as long as telling one takes. */
static const double TELL_SECONDS = 0.1, TELL_SHARE = 10;

typedef struct desk {
    difflns_map *map; /* of a file without agents */
    difflns_instance *instance;
    difflns_plan *plan;  /* the result, or where to start from */
    difflns_plan *start; /* what the result grew from; may be NULL */
    difflns_model *model;
    dl_plan **step; /* of the denoising */
    int steps;
    double told_at, telling_took; /* the last plan */
    difflns_error err;
    char *text;
} desk;

/* What happens while a request is worked on; `data` is a page's JSON or NULL. */
EM_JS(void, tell, (int kind, double seconds, double conflicts, double soc, double iterations, const char *data),
      { Module.listener(kind, seconds, conflicts, soc, iterations, data ? UTF8ToString(data) : null); });

EMSCRIPTEN_KEEPALIVE desk *desk_open(void)
{
    return calloc(1, sizeof(desk));
}

EMSCRIPTEN_KEEPALIVE const char *desk_message(const desk *d)
{
    return d->err.message;
}

static void forget_steps(desk *d)
{
    for (int i = 0; i < d->steps; i++) dl_plan_free(d->step[i]);
    free(d->step);
    d->step = NULL;
    d->steps = 0;
}

static void forget(desk *d)
{
    forget_steps(d);
    difflns_plan_free(d->plan);
    difflns_plan_free(d->start);
    difflns_instance_free(d->instance);
    difflns_map_free(d->map);
    d->plan = d->start = NULL;
    d->instance = NULL;
    d->map = NULL;
    d->err = (difflns_error){0};
}

/* ---- Instances ---- */

EMSCRIPTEN_KEEPALIVE int desk_generate(desk *d, const char *family, int agents, double seed)
{
    forget(d);
    return (int)difflns_generate(family, agents, (uint64_t)seed, &d->instance, &d->err);
}

EMSCRIPTEN_KEEPALIVE const char *desk_family(int index)
{
    return difflns_family_name(index);
}

/* The contents of files; without a scenario a map alone will do. */
EMSCRIPTEN_KEEPALIVE int desk_read(desk *d, const char *map, int map_size, const char *scen, int scen_size)
{
    forget(d);
    if (scen_size > 0)
        return (int)difflns_instance_parse(map, (size_t)map_size, NULL, scen, (size_t)scen_size, NULL, 0, &d->instance,
                                           &d->err);
    difflns_status drawn = difflns_instance_parse(map, (size_t)map_size, NULL, NULL, 0, NULL, 0, &d->instance, &d->err);
    if (drawn == DIFFLNS_OK) return DIFFLNS_OK; /* the map shows its agents */
    return (int)difflns_map_parse(map, (size_t)map_size, NULL, &d->map, &d->err);
}

EMSCRIPTEN_KEEPALIVE int desk_place(desk *d, int height, int width, const uint8_t *blocked, int agents,
                                    const difflns_cell *starts, const difflns_cell *goals)
{
    forget(d);
    difflns_status status =
        difflns_instance_create(height, width, blocked, agents, starts, goals, &d->instance, &d->err);
    if (status != DIFFLNS_OK) return (int)status;
    return (int)difflns_map_limit_memory(difflns_instance_map(d->instance), FIELD_BYTES, &d->err);
}

/* A map without agents, as read. */
EMSCRIPTEN_KEEPALIVE int desk_map_height(const desk *d)
{
    return difflns_map_height(d->map);
}

EMSCRIPTEN_KEEPALIVE int desk_map_width(const desk *d)
{
    return difflns_map_width(d->map);
}

EMSCRIPTEN_KEEPALIVE int desk_map_blocked(const desk *d, int row, int col)
{
    return difflns_map_blocked(d->map, row, col);
}

/* ---- Answers ---- */

static const char *print_data(desk *d, const dl_page *page)
{
    dl_print print;
    free(d->text);
    d->text = NULL;
    if (dl_print_open(&print, &d->err) != DIFFLNS_OK) return NULL;
    if (dl_page_write_data(print.stream, page))
        dl_print_finish(&print, &d->text, NULL, &d->err);
    else
        dl_print_discard(&print);
    return d->text;
}

static const char *data_of(desk *d, const difflns_plan *plan, const char *title, const char *note)
{
    dl_page_plan shown = {plan, title, note};
    return print_data(d, &(dl_page){.instance = d->instance, .count = 1, .plans = &shown});
}

/* What the page shows of the instance: everybody on their start. */
EMSCRIPTEN_KEEPALIVE const char *desk_instance_data(desk *d)
{
    int agents = difflns_instance_agents(d->instance);
    int32_t *lengths = malloc(sizeof *lengths * (size_t)agents);
    difflns_cell *cells = malloc(sizeof *cells * (size_t)agents);
    difflns_plan *standing = NULL;
    for (int agent = 0; lengths && cells && agent < agents; agent++) {
        lengths[agent] = 1;
        cells[agent] = difflns_instance_start(d->instance, agent);
    }
    const char *data = NULL;
    if (lengths && cells && difflns_plan_create(agents, lengths, cells, &standing, &d->err) == DIFFLNS_OK)
        data = data_of(d, standing, "Starts", "");
    difflns_plan_free(standing);
    free(lengths);
    free(cells);
    return data;
}

/* The plan, beside what it grew from if that is known. */
EMSCRIPTEN_KEEPALIVE const char *desk_plan_data(desk *d)
{
    dl_page_plan shown[2] = {{d->start, "Start", "what repair began with"}, {d->plan, "Plan", ""}};
    int first = d->start ? 0 : 1;
    return print_data(d, &(dl_page){.instance = d->instance, .count = 2 - first, .plans = shown + first});
}

/* "map", "scen", "page", or the name of a plan format. */
EMSCRIPTEN_KEEPALIVE const char *desk_print(desk *d, const char *what)
{
    difflns_text_free(d->text);
    d->text = NULL;
    if (strcmp(what, "map") == 0)
        difflns_map_print(difflns_instance_map(d->instance), &d->text, NULL, &d->err);
    else if (strcmp(what, "scen") == 0)
        difflns_instance_print(d->instance, &d->text, NULL, &d->err);
    else if (strcmp(what, "page") == 0)
        difflns_page_print(d->instance, d->plan, "Plan", NULL, NULL, &d->text, NULL, &d->err);
    else
        difflns_plan_print(d->instance, d->plan, (difflns_format)difflns_format_find(what), &d->text, NULL, &d->err);
    return d->text;
}

/* ---- Solving ---- */

EMSCRIPTEN_KEEPALIVE int desk_set_plan(desk *d, const int32_t *lengths, const difflns_cell *cells)
{
    difflns_plan_free(d->plan);
    return (int)difflns_plan_create(difflns_instance_agents(d->instance), lengths, cells, &d->plan, &d->err);
}

static void listen(void *user, const difflns_event *event)
{
    desk *d = user;
    difflns_event_type kind = difflns_event_kind(event);
    const char *data = NULL;
    double now = dl_now(), wait = d->telling_took * TELL_SHARE;
    bool is_due = now - d->told_at >= (wait > TELL_SECONDS ? wait : TELL_SECONDS);
    difflns_plan *plan = NULL;
    if (kind == DIFFLNS_EVENT_FIRST_PLAN || (kind == DIFFLNS_EVENT_BETTER_PLAN && is_due))
        difflns_event_plan(event, &plan, NULL);
    if (plan) data = data_of(d, plan, "Plan", "");
    tell((int)kind, difflns_event_seconds(event), (double)difflns_event_conflicts(event),
         (double)difflns_event_soc(event), (double)difflns_event_iterations(event), data);
    difflns_plan_free(plan);
    if (!data) return;
    d->told_at = dl_now();
    d->telling_took = d->told_at - now;
}

/* Lowers the cost until the time is up; `init` "plan" begins with the desk's own. */
EMSCRIPTEN_KEEPALIVE int desk_solve(desk *d, const char *init, double seconds, double seed)
{
    difflns_solver *solver;
    difflns_plan *given = d->plan, *found = NULL;
    difflns_status status = difflns_solver_create(&solver, &d->err);
    d->told_at = d->telling_took = 0;
    if (status == DIFFLNS_OK) status = difflns_solver_set(solver, "init", init, &d->err);
    if (status == DIFFLNS_OK) status = difflns_solver_set_number(solver, "time", seconds, &d->err);
    if (status == DIFFLNS_OK) status = difflns_solver_set_number(solver, "seed", seed, &d->err);
    if (status == DIFFLNS_OK) status = difflns_solver_set_number(solver, "threads", 1, &d->err);
    if (status == DIFFLNS_OK) status = difflns_solver_set(solver, "stop", "limit", &d->err);
    if (status == DIFFLNS_OK) status = difflns_solver_set_start(solver, given, &d->err);
    if (status == DIFFLNS_OK) status = difflns_solver_keep_start(solver, 1, &d->err);
    if (status == DIFFLNS_OK) status = difflns_solver_set_listener(solver, listen, d, &d->err);
    if (status == DIFFLNS_OK) {
        status = difflns_solver_solve(solver, d->instance, &found, &d->err);
        difflns_plan_free(d->start);
        d->start = NULL;
        difflns_solver_start_plan(solver, &d->start, NULL);
        if (!found) difflns_solver_colliding_plan(solver, &found, NULL);
    }
    difflns_solver_free(solver);
    difflns_plan_free(given);
    d->plan = found;
    return (int)status;
}

EMSCRIPTEN_KEEPALIVE double desk_lower_bound(const desk *d)
{
    return (double)difflns_instance_sum_of_distances(d->instance);
}

/* ---- Drafts ---- */

EMSCRIPTEN_KEEPALIVE int desk_set_model(desk *d, const char *bytes, int size)
{
    difflns_model_free(d->model);
    return (int)difflns_model_parse(bytes, (size_t)size, &d->model, &d->err);
}

/* The kind under which a step of denoising is reported: after the solver's events. */
enum { DENOISED = 100 };

static void see_step(void *user, int candidate, int step, int steps, const dl_plan *plan)
{
    desk *d = user;
    (void)candidate;
    dl_plan **grown = realloc(d->step, sizeof *grown * (size_t)(d->steps + 1));
    if (!grown) return;
    d->step = grown;
    dl_plan *copy = dl_plan_copy(plan);
    if (!copy) return;
    d->step[d->steps++] = copy;
    tell(DENOISED, 0, 0, step, steps,
         data_of(d, plan,
                 step == 0       ? "Noise"
                 : step == steps ? "Draft"
                                 : "Denoising",
                 ""));
}

/* One draft, which becomes the desk's plan. */
EMSCRIPTEN_KEEPALIVE int desk_draft(desk *d, int steps, double seed)
{
    forget_steps(d);
    dl_scene *scene = dl_scene_create(d->instance);
    dl_sample_options options = dl_sample_defaults(d->model);
    options.seed = (uint64_t)seed;
    options.threads = 1;
    if (steps > 0) options.steps = steps;
    dl_sample_watch watch = {see_step, d};
    dl_draft draft;
    dl_deadline deadline = dl_no_deadline();
    dl_progress silent = {0};
    dl_status status = scene ? dl_sample_drafts(d->model, scene, &options, &deadline, &silent, &watch, &draft, &d->err)
                             : dl_out_of_memory(&d->err);
    dl_scene_free(scene);
    if (status != DIFFLNS_OK) return (int)status;
    difflns_plan_free(d->plan);
    d->plan = draft.plan;
    draft.plan = NULL;
    dl_draft_free(&draft);
    return DIFFLNS_OK;
}

/* From noise to draft, one plan a step. */
EMSCRIPTEN_KEEPALIVE const char *desk_steps_data(desk *d)
{
    dl_page_plan *shown = calloc((size_t)d->steps, sizeof *shown);
    const char *data = NULL;
    for (int i = 0; shown && i < d->steps; i++)
        shown[i] = (dl_page_plan){d->step[i], i == 0 ? "Noise" : i == d->steps - 1 ? "Draft" : "Denoising", ""};
    if (shown)
        data = print_data(
            d, &(dl_page){.instance = d->instance, .layout = DL_PAGE_SEQUENCE, .count = d->steps, .plans = shown});
    free(shown);
    return data;
}

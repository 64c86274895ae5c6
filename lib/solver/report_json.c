#include "solver/report_json.h"

#include "base/json.h"

const char *dl_report_status(const dl_report_context *context)
{
    if (context->has_plan) return "solved";
    return context->status == DIFFLNS_UNSOLVABLE ? "unsolvable" : "unsolved";
}

static json_t *number_or_null(int64_t number)
{
    return number < 0 ? json_null() : json_integer(number);
}

static json_t *candidate_as_json(const dl_candidate *c)
{
    const char *outcome = c->conflicts < 0 ? "not started" : c->conflicts_left > 0 ? "given up" : "repaired";
    return json_pack("{s:s, s:o, s:o, s:I, s:f, s:s}", "init", c->init, "conflicts", number_or_null(c->conflicts),
                     "conflicts_left", number_or_null(c->conflicts_left), "iterations", (json_int_t)c->iterations,
                     "seconds", c->seconds, "outcome", outcome);
}

char *dl_report_json(const dl_report *r, const dl_report_context *context)
{
    json_t *list = json_array();
    bool whole = list != NULL;
    for (int i = 0; i < r->candidates && whole; i++)
        whole = json_array_append_new(list, candidate_as_json(&r->candidate[i])) == 0;
    if (!whole) {
        json_decref(list);
        return NULL;
    }
    double rate = r->repair_seconds > 0 ? (double)r->repair_iterations / r->repair_seconds : 0;
    json_t *gap = dl_report_gap(r) < 0 ? json_null() : json_real(dl_report_gap(r));
    json_t *root = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:b, s:f, s:o, s:o, s:s, s:i, s:I, s:f, s:I, s:I, s:i, s:i, s:s, s:s, s:o}",
        "status", dl_report_status(context), "soc", number_or_null(r->soc), "makespan",
        number_or_null(r->soc < 0 ? -1 : r->makespan), "sum_of_distances", number_or_null(r->sum_of_distances),
        "lower_bound", number_or_null(r->lower_bound), "gap", gap, "optimal", dl_report_optimal(r), "seconds",
        r->seconds, "first_seconds", r->first_seconds < 0 ? json_null() : json_real(r->first_seconds), "first_soc",
        number_or_null(r->first_soc), "init", r->init ? r->init : "none", "candidates", (int)r->candidates,
        "repair_iterations", (json_int_t)r->repair_iterations, "repair_iterations_per_second", rate,
        "improve_iterations", (json_int_t)r->improve_iterations, "seed", (json_int_t)context->seed, "threads",
        (int)r->threads, "agents", context->agents, "version", difflns_version(), "reason", r->reason, "candidate",
        list);
    dl_text text = {0};
    dl_json_add(&text, root, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    if (!text.cut) return text.data;
    dl_text_free(&text);
    return NULL;
}

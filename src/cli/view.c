/* difflns view: plans as a page that plays them, or as a picture of one moment. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"
#include "diffusion/demos.h"
#include "view/page.h"
#include "view/picture.h"

/* What to show. */
typedef struct show {
    dl_instance *instance;
    int count;
    dl_plan *plan[MAX_ARGUMENTS];
    const char *title[MAX_ARGUMENTS];
    char demo_title[160];
} show;

static void release(show *s)
{
    for (int i = 0; i < s->count; i++) dl_plan_free(s->plan[i]);
    dl_instance_free(s->instance);
}

/* The plans named on the command line. */
static dl_status read_plans(const options *opts, show *s, dl_error *err)
{
    for (; s->count < opts->arguments; s->count++) {
        const char *path = opts->argument[s->count];
        dl_plan **plan = &s->plan[s->count];
        DL_TRY(difflns_plan_read_order(s->instance, path, (difflns_order)opts->order, plan, err));
        s->title[s->count] = dl_file_base_name(path);
        if ((*plan)->agents == s->instance->agents) continue;
        dl_status status = dl_fail(err, DIFFLNS_BAD_INPUT, "%s: plan of %d agents, expected %d", path, (*plan)->agents,
                                   s->instance->agents);
        dl_plan_free(*plan);
        return status;
    }
    return DIFFLNS_OK;
}

/* One demonstration; damage behind it does not matter. */
static dl_status read_demo(const options *opts, show *s, dl_error *err)
{
    dl_demos *demos;
    dl_error damage;
    dl_status status = dl_demos_salvage(opts->view_demos, &demos, &damage);
    if (status != DIFFLNS_OK || (damage.status != DIFFLNS_OK && opts->demo_index >= dl_demos_count(demos))) {
        dl_demos_close(demos);
        *err = damage;
        return damage.status;
    }
    dl_demo demo;
    status = dl_demos_read(demos, opts->demo_index, &demo, err);
    dl_demos_close(demos);
    if (status != DIFFLNS_OK) return status;
    snprintf(s->demo_title, sizeof s->demo_title, "%s, %d agents, seed %llu, by %s", demo.about.family,
             demo.about.agents, (unsigned long long)demo.about.seed, demo.about.solver);
    s->instance = demo.instance;
    s->plan[0] = demo.plan;
    s->title[0] = s->demo_title;
    s->count = 1;
    return DIFFLNS_OK;
}

static dl_status write_page(const show *s, const char *path, dl_error *err)
{
    dl_page_plan shown[MAX_ARGUMENTS];
    for (int i = 0; i < s->count; i++) shown[i] = (dl_page_plan){.plan = s->plan[i], .title = s->title[i]};
    dl_page page = {.instance = s->instance, .count = s->count, .plans = shown};
    page.layout = s->count > 2 ? DL_PAGE_SEQUENCE : DL_PAGE_SIDE_BY_SIDE;
    return dl_page_write(&page, path, err);
}

int cli_view(const options *opts)
{
    if (!opts->out_page) return cli_usage("view: --out: expected a file");
    if (opts->view_demos && opts->arguments > 0) return cli_usage("view: --demos and a plan exclude each other");
    if (!opts->view_demos && opts->arguments == 0) return cli_usage("view: expected a plan");
    bool is_picture = dl_picture_named(opts->out_page);
    if (is_picture && opts->arguments > 1) return cli_usage("view: a picture shows one plan, not %d", opts->arguments);
    show s = {0};
    dl_error err;
    dl_status status;
    if (opts->view_demos) {
        status = read_demo(opts, &s, &err);
    } else {
        int exit_status = cli_load(opts, "view", &s.instance);
        if (exit_status) return exit_status;
        status = read_plans(opts, &s, &err);
    }
    if (status == DIFFLNS_OK)
        status = is_picture ? dl_picture_write(s.instance, s.plan[0], (int)opts->time_step, opts->out_page, &err)
                            : write_page(&s, opts->out_page, &err);
    release(&s);
    return status == DIFFLNS_OK ? 0 : cli_fail(&err);
}

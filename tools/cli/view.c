/* difflns view: plans as a page that plays them, or as a picture of one moment. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/cli.h"
#include "memory/need.h"
#include "page/page.h"
#include "plot/picture.h"
#ifndef DIFFLNS_WITHOUT_LEARNING
#include "diffusion/demos.h"
#endif

/* What to show. */
typedef struct show {
    dl_instance *instance;
    int count, room;
    dl_page_plan *shown; /* [count]: plans and titles are ours */
    dl_page_layout layout;
} show;

static void release(show *s)
{
    for (int i = 0; i < s->count; i++) {
        dl_plan_free((dl_plan *)s->shown[i].plan);
        free((char *)s->shown[i].title);
    }
    free(s->shown);
    dl_instance_free(s->instance);
}

/* Takes over both. */
static void add(show *s, dl_plan *plan, char *title)
{
    need(DL_GROW(s->shown, s->room, s->count + 1));
    s->shown[s->count++] = (dl_page_plan){.plan = plan, .title = title};
}

static dl_status read_plan(const options *opts, const char *path, const char *title, show *s, dl_error *err)
{
    dl_plan *plan;
    DL_TRY(difflns_plan_read_order(s->instance, path, (difflns_order)opts->order, &plan, err));
    if (plan->agents == s->instance->agents) {
        add(s, plan, needed(dl_strdup(title)));
        return DIFFLNS_OK;
    }
    dl_status status =
        dl_fail(err, DIFFLNS_BAD_INPUT, "%s: plan of %d agents, expected %d", path, plan->agents, s->instance->agents);
    dl_plan_free(plan);
    return status;
}

static int is_step(const struct dirent *entry)
{
    return strncmp(entry->d_name, "step-", 5) == 0;
}

/* What `sample --trace` left in a folder: from noise to draft. */
static dl_status read_steps(const options *opts, const char *folder, show *s, dl_error *err)
{
    struct dirent **entry;
    int count = scandir(folder, &entry, is_step, alphasort);
    dl_status status = DIFFLNS_OK;
    for (int i = 0; i < count; i++) {
        dl_text path = {0}, title = {0};
        dl_text_print(&path, "%s/%s", folder, entry[i]->d_name);
        dl_text_print(&title, "Step %d of %d%s", i, count - 1, i == 0 ? ", noise" : i == count - 1 ? ", draft" : "");
        need(!path.cut);
        need(!title.cut);
        if (status == DIFFLNS_OK) status = read_plan(opts, path.data, title.data, s, err);
        dl_text_free(&title);
        dl_text_free(&path);
        free(entry[i]);
    }
    if (count >= 0) free(entry);
    s->layout = DL_PAGE_SEQUENCE;
    if (status == DIFFLNS_OK && count < 1)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: expected the steps that sample --trace writes", folder);
    return status;
}

/* The plans named on the command line. Of more than two, one shows at a time. */
static dl_status read_plans(const options *opts, show *s, dl_error *err)
{
    struct stat about;
    if (opts->arguments == 1 && stat(opts->argument[0], &about) == 0 && S_ISDIR(about.st_mode))
        return read_steps(opts, opts->argument[0], s, err);
    s->layout = opts->arguments > 2 ? DL_PAGE_SEQUENCE : DL_PAGE_SIDE_BY_SIDE;
    dl_status status = DIFFLNS_OK;
    for (int i = 0; i < opts->arguments && status == DIFFLNS_OK; i++) {
        dl_text title = {0};
        dl_text_print(&title, "%s", dl_file_base_name(opts->argument[i]));
        if (s->layout == DL_PAGE_SEQUENCE) dl_text_print(&title, ", %d of %d", i + 1, opts->arguments);
        need(!title.cut);
        status = read_plan(opts, opts->argument[i], title.data, s, err);
        dl_text_free(&title);
    }
    return status;
}

/* One demonstration; damage after it does not matter. */
#ifdef DIFFLNS_WITHOUT_LEARNING
static dl_status read_demo(const options *opts, show *s, dl_error *err)
{
    (void)s;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: this build has no learning", opts->view_demos);
}
#else
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
    dl_text title = {0};
    dl_text_print(&title, "%s, %d agents, seed %llu, by %s", demo.about.family, demo.about.agents,
                  (unsigned long long)demo.about.seed, demo.about.solver);
    s->instance = demo.instance;
    need(!title.cut);
    add(s, demo.plan, title.data);
    return DIFFLNS_OK;
}
#endif

static dl_status write_view(const options *opts, const show *s, bool is_picture, dl_error *err)
{
    if (!is_picture) {
        dl_page page = {.instance = s->instance, .layout = s->layout, .count = s->count, .plans = s->shown};
        return dl_page_write(&page, opts->out_page, err);
    }
    if (!s->shown || s->count != 1)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "view: a picture shows one plan, not %d", s->count);
    return dl_picture_write(s->instance, s->shown->plan, (int)opts->time_step, opts->out_page, err);
}

int cli_view(const options *opts)
{
    if (!opts->out_page) return cli_usage("view: --out: expected a file");
    if (opts->view_demos && opts->arguments > 0) return cli_usage("view: expected --demos or a plan, not both");
    if (!opts->view_demos && opts->arguments == 0) return cli_usage("view: expected a plan");
    const char *end = strrchr(opts->out_page, '.');
    if (end && strcmp(end, ".png") == 0) return cli_usage("view: --out: %s: expected .html or .svg", opts->out_page);
    bool is_picture = dl_picture_named(opts->out_page);
    if (is_picture && opts->arguments > 1) return cli_usage("view: a picture shows one plan, not %d", opts->arguments);
    const char *inputs[MAX_ARGUMENTS + 3] = {opts->map, opts->scen, opts->view_demos};
    for (int i = 0; i < opts->arguments; i++) inputs[3 + i] = opts->argument[i];
    int refused = cli_check_outputs("view", &opts->out_page, 1, inputs, 3 + opts->arguments);
    if (refused) return refused;
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
    if (status == DIFFLNS_OK) status = write_view(opts, &s, is_picture, &err);
    release(&s);
    return status == DIFFLNS_OK ? 0 : cli_fail(&err);
}

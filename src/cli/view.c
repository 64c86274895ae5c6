/* difflns view: plans as a page that plays them, or as a picture of one moment. */
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"
#include "view/page.h"
#include "view/picture.h"

static dl_status write_page(const dl_instance *instance, dl_plan *const *plans, const options *opts, dl_error *err)
{
    dl_page_plan shown[MAX_ARGUMENTS];
    for (int i = 0; i < opts->arguments; i++)
        shown[i] = (dl_page_plan){.plan = plans[i], .title = dl_file_base_name(opts->argument[i])};
    dl_page page = {.instance = instance, .count = opts->arguments, .plans = shown};
    page.layout = opts->arguments > 2 ? DL_PAGE_SEQUENCE : DL_PAGE_SIDE_BY_SIDE;
    return dl_page_write(&page, opts->out_page, err);
}

int cli_view(const options *opts)
{
    if (!opts->out_page) return cli_usage("view: --out: expected a file");
    bool is_picture = dl_picture_named(opts->out_page);
    if (is_picture && opts->arguments > 1) return cli_usage("view: a picture shows one plan, not %d", opts->arguments);
    difflns_instance *instance;
    int exit_status = cli_load(opts, "view", &instance);
    if (exit_status) return exit_status;
    difflns_plan *plans[MAX_ARGUMENTS] = {NULL};
    difflns_error err;
    dl_status status = DIFFLNS_OK;
    for (int i = 0; i < opts->arguments && status == DIFFLNS_OK; i++) {
        status = difflns_plan_read_order(instance, opts->argument[i], (difflns_order)opts->order, &plans[i], &err);
        if (status == DIFFLNS_OK && plans[i]->agents != instance->agents)
            status = dl_fail(&err, DIFFLNS_BAD_INPUT, "%s: plan of %d agents, expected %d", opts->argument[i],
                             plans[i]->agents, instance->agents);
    }
    if (status == DIFFLNS_OK)
        status = is_picture ? dl_picture_write(instance, plans[0], (int)opts->time_step, opts->out_page, &err)
                            : write_page(instance, plans, opts, &err);
    for (int i = 0; i < opts->arguments; i++) difflns_plan_free(plans[i]);
    difflns_instance_free(instance);
    return status == DIFFLNS_OK ? 0 : cli_fail(&err);
}

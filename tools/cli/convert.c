/* difflns convert: a plan, or an instance, from one format to another. */
#include "cli/cli.h"
#include "formats/load.h"

/* The plan is read before anything is written, so that a refusal leaves nothing behind. */
static int convert(const options *opts, const difflns_instance *instance)
{
    difflns_error err;
    difflns_plan *plan = NULL;
    if (opts->arguments > 0) {
        int status = cli_read_plan(opts, instance, opts->argument[0], &plan);
        if (status) return status;
    }
    difflns_status status = DIFFLNS_OK;
    if (plan) status = difflns_plan_write(instance, plan, (difflns_format)opts->format, opts->out_plan, &err);
    if (status == DIFFLNS_OK && opts->out_map) status = dl_instance_write_map(instance, opts->out_map, &err);
    if (status == DIFFLNS_OK && opts->out_scen) status = dl_instance_write_scen(instance, opts->out_scen, &err);
    difflns_plan_free(plan);
    return status == DIFFLNS_OK ? 0 : cli_fail(&err);
}

int cli_convert(const options *opts)
{
    if (opts->arguments > 0 && !opts->out_plan) return cli_usage("convert: --out: expected a file for the plan");
    if (opts->arguments == 0 && opts->out_plan) return cli_usage("convert: --out: expected a PLAN to convert");
    if (!opts->out_plan && !opts->out_map && !opts->out_scen)
        return cli_usage("convert: expected a PLAN and --out, or --out-map, or --out-scen");
    const char *outputs[] = {opts->out_plan, opts->out_map, opts->out_scen};
    const char *inputs[] = {opts->map, opts->scen, opts->arguments > 0 ? opts->argument[0] : NULL};
    int status = cli_check_outputs("convert", outputs, 3, inputs, 3);
    if (status) return status;
    difflns_instance *instance;
    status = cli_load(opts, "convert", &instance);
    if (status) return status;
    status = convert(opts, instance);
    difflns_instance_free(instance);
    return status;
}

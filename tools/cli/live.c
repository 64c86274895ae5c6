/* difflns live: a fleet in motion. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/output.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "live/live_page.h"
#include "live/simulation.h"

static double throughput(const dl_live_run *run)
{
    return run->ticks > 0 ? (double)run->reached / (double)run->ticks : 0;
}

static void print_line(const dl_live_run *run)
{
    printf(
        "ticks=%lld agents=%d tasks=%lld throughput=%.3f plan_ms_p50=%.2f plan_ms_p99=%.2f late=%lld collisions=%lld\n",
        (long long)run->ticks, run->robots, (long long)run->reached, throughput(run),
        dl_live_percentile(run, DL_LIVE_WALL, 0.5), dl_live_percentile(run, DL_LIVE_WALL, 0.99), (long long)run->late,
        (long long)run->collisions);
}

/* Milliseconds by which plans took longer than the deadline, at most in `share` of the ticks; 0 where none did. */
static double overrun(const dl_live_settings *settings, const dl_live_run *run, dl_live_clock clock, double share)
{
    double over = dl_live_percentile(run, clock, share) - settings->deadline;
    return settings->iterations < 0 && over > 0 ? over : 0;
}

/* How long plans took by one clock, and by how much they overran. */
static json_t *times_by(const dl_live_settings *settings, const dl_live_run *run, dl_live_clock clock)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "p50", dl_json_rounded(dl_live_percentile(run, clock, 0.5), 3),
                     "p99", dl_json_rounded(dl_live_percentile(run, clock, 0.99), 3), "p99.9",
                     dl_json_rounded(dl_live_percentile(run, clock, 0.999), 3), "max",
                     dl_json_rounded(dl_live_percentile(run, clock, 1), 3), "overrun_p99.9",
                     dl_json_rounded(overrun(settings, run, clock, 0.999), 3), "overrun_max",
                     dl_json_rounded(overrun(settings, run, clock, 1), 3));
}

static json_t *report_head(const options *opts, const dl_live_settings *settings, const dl_live_run *run)
{
    const char *map = dl_file_base_name(opts->map);
    return json_pack("{s:s, s:i, s:s, s:o, s:i, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:i, s:I, "
                     "s:I, s:i, s:o, s:I, s:o, s:I}",
                     "format", "difflns-live", "version", 1, "program", "difflns " DIFFLNS_VERSION_STRING, "map",
                     dl_json_name(map, strlen(map)), "agents", run->robots, "ticks", (json_int_t)run->ticks, "tasks",
                     (json_int_t)run->reached, "throughput", dl_json_rounded(throughput(run), 4), "plan_ms_p50",
                     dl_json_rounded(dl_live_percentile(run, DL_LIVE_WALL, 0.5), 3), "plan_ms_p99",
                     dl_json_rounded(dl_live_percentile(run, DL_LIVE_WALL, 0.99), 3), "plan_ms_max",
                     dl_json_rounded(dl_live_percentile(run, DL_LIVE_WALL, 1), 3), "wall_ms",
                     times_by(settings, run, DL_LIVE_WALL), "cpu_ms", times_by(settings, run, DL_LIVE_CPU), "late",
                     (json_int_t)run->late, "collisions", (json_int_t)run->collisions, "longest_still",
                     (json_int_t)run->longest_still, "longest_task", (json_int_t)run->longest_task, "never_reached",
                     run->never_reached, "escorted", (json_int_t)run->escorted, "taken_back",
                     (json_int_t)run->taken_back, "window", run->window, "deadline_ms",
                     dl_json_rounded(settings->deadline, 3), "iterations", (json_int_t)settings->iterations, "delay",
                     dl_json_rounded(settings->delay, 6), "seed", (json_int_t)settings->seed);
}

static difflns_status write_report(const options *opts, const dl_live_settings *settings, const dl_live_run *run,
                                   difflns_error *err)
{
    dl_output out;
    DL_TRY(dl_output_open(&out, opts->live_report, err));
    if (!dl_json_open_list(out.stream, report_head(opts, settings, run), "each")) {
        dl_output_discard(&out);
        return dl_out_of_memory(err);
    }
    for (int64_t i = 0; i < run->ticks; i++) {
        const dl_live_tick *tick = &run->tick[i];
        fprintf(
            out.stream,
            "%s\n{\"tick\": %lld, \"plan_ms\": %.3f, \"cpu_ms\": %.3f, \"tasks\": %d, \"moved\": %d, \"delayed\": %d}",
            i ? "," : "", (long long)i, tick->plan_ms, tick->cpu_ms, tick->reached, tick->moved, tick->delayed);
    }
    fputs("\n]}\n", out.stream);
    return dl_output_commit(&out, err);
}

static difflns_status live(const options *opts, const dl_live_settings *settings, difflns_error *err)
{
    terminal_bar bar;
    dl_live_run run;
    terminal_bar_begin(&bar, "live", opts->quiet);
    difflns_status status = dl_live_simulate(settings, opts->live_page != NULL, &bar.progress, &run, err);
    terminal_bar_clear(&bar);
    if (status == DIFFLNS_OK) {
        print_line(&run);
        fflush(stdout);
        if (opts->live_report) status = write_report(opts, settings, &run, err);
    }
    if (status == DIFFLNS_OK && opts->live_page)
        status = dl_live_page_write(settings->map, &run, dl_file_base_name(opts->map), opts->live_page, err);
    if (status == DIFFLNS_OK && run.collisions > 0)
        status = dl_fail(err, DIFFLNS_INTERNAL, "live: %lld collisions", (long long)run.collisions);
    dl_live_run_free(&run);
    return status;
}

int cli_live(const options *opts)
{
    if (!opts->map) return cli_usage("live: --map: expected a map");
    bool random = strcmp(opts->live_tasks, "random") == 0;
    if (opts->live_agents == 0 && random) return cli_usage("live: --agents: expected the number of robots");
    const char *outputs[] = {opts->live_page, opts->live_report};
    const char *inputs[] = {opts->map, random ? NULL : opts->live_tasks};
    int refused = cli_check_outputs("live", outputs, 2, inputs, 2);
    if (refused) return refused;
    dl_live_settings settings = {.robots = (int)opts->live_agents,
                                 .ticks = opts->live_ticks,
                                 .window = (int)opts->live_window,
                                 .deadline = opts->live_deadline,
                                 .iterations = opts->live_iterations,
                                 .guidance = opts->live_guidance,
                                 .delay = opts->live_delay,
                                 .seed = opts->solver.seed,
                                 .stop = terminal_catch_signals()};
    dl_live_tasks tasks = {0};
    difflns_error err;
    difflns_status status = difflns_map_load(opts->map, opts->map_name, &settings.map, &err);
    if (status == DIFFLNS_OK && !random) {
        status = dl_live_tasks_read(opts->live_tasks, dl_map_grid(settings.map), settings.robots, &tasks, &err);
        settings.tasks = &tasks;
        if (settings.robots == 0) settings.robots = tasks.starts;
    }
    if (status == DIFFLNS_OK) status = live(opts, &settings, &err);
    dl_live_tasks_free(&tasks);
    difflns_map_free(settings.map);
    return status == DIFFLNS_OK ? terminal_signal_status() : cli_fail(&err);
}

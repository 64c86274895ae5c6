/* Fleets that drive for a long time with delays, over all families of maps: nobody collides, and everybody arrives.
 *
 *   soak [TICKS [SEED [MOST]]]   so many ticks in all, in runs from that seed on, each of MOST ticks at most
 *   soak --run SEED              one of them, again
 *
 * Exit status 1 if a step was illegal, two robots met, or somebody was on its way for longer than its family allows. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/rng.h"
#include "generate/generate.h"
#include "live/simulation.h"
#include "memory/need.h"

static const double DELAY = 0.1, LEAST_SHARE = 0.2;
/* Few iterations: what is mended later must first go wrong. */
enum { FEWEST_ITERATIONS = 4, MOST_ITERATIONS = 8 };
/* A run is long enough for several of the slowest tasks. */
enum { SLOWEST_LEAST = 64, TASKS_PER_RUN = 2, SHORTEST_RUN = 1500 };
/* One map in so many has the size of its family; the others, a quarter of it, are jammed as easily, in less time. */
enum { LARGE_ONE_IN = 8 };

/* The paper's families, and mazes in which only one way leads from each place to each other. A task may take
 * SLOWEST_LEAST ticks and so many for each robot: far below what is proved, 1.3 times the most that was seen in two
 * million ticks. Fuller perfect mazes would be slower still, with half a hundred ticks between one goal and the next.
 */
static const struct {
    const char *name;
    double most_share; /* of its cells that are taken */
    int slowest_per_robot;
} FAMILY[] = {{"small-random", 0.9, 48},     {"medium-maze", 0.9, 48}, {"medium-room", 0.9, 48},
              {"medium-warehouse", 0.9, 48}, {"large-maze", 0.9, 48},  {"perfect-maze", 0.6, 144}};
enum { FAMILIES = sizeof FAMILY / sizeof FAMILY[0], PERFECT_MAZE = FAMILIES - 1, PERFECT_SIDE = 25 };

/* ---- Maps ---- */

/* Walls fall between rooms that are not yet joined, in random order. */
static dl_map *make_perfect_maze(uint64_t seed, bool large)
{
    enum { MOST_ROOMS = (PERFECT_SIDE + 1) / 2 };
    const int rooms = large ? MOST_ROOMS : MOST_ROOMS / 2, side = 2 * rooms - 1;
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('s', 'o', 'a', 'k'), 1);
    uint8_t blocked[PERFECT_SIDE * PERFECT_SIDE];
    int32_t wall[2 * MOST_ROOMS * MOST_ROOMS], part[MOST_ROOMS * MOST_ROOMS], walls = 0;
    memset(blocked, 1, sizeof blocked);
    for (int room = 0; room < rooms * rooms; room++) {
        part[room] = room;
        blocked[room / rooms * 2 * side + room % rooms * 2] = 0;
        if (room % rooms + 1 < rooms) wall[walls++] = 2 * room;
        if (room / rooms + 1 < rooms) wall[walls++] = 2 * room + 1;
    }
    dl_rng_shuffle(&rng, wall, walls);
    for (int i = 0; i < walls; i++) {
        int room = wall[i] / 2, down = wall[i] % 2, other = room + (down ? rooms : 1);
        int old = part[other], joined = part[room];
        if (old == joined) continue;
        for (int k = 0; k < rooms * rooms; k++)
            if (part[k] == old) part[k] = joined;
        blocked[room / rooms * 2 * side + room % rooms * 2 + (down ? side : 1)] = 0;
    }
    dl_map *map;
    need(difflns_map_create(side, side, blocked, &map, NULL) == DIFFLNS_OK);
    return map;
}

/* Half as high and half as wide, with as many obstacles for its size. */
static void shrink(dl_generate_params *params)
{
    params->height = params->height / 4 * 2 + 1;
    params->width = params->width / 4 * 2 + 1;
    params->least_doors /= 4;
    params->most_doors /= 4;
    params->shelf_rows /= 2;
    params->shelf_columns /= 2;
    params->side_strip /= 2;
}

static dl_map *make_map(int family, uint64_t seed, bool large)
{
    if (family == PERFECT_MAZE) return make_perfect_maze(seed, large);
    dl_generate_params params;
    dl_generator_scratch scratch = {0};
    dl_instance *instance;
    need(dl_generate_preset(FAMILY[family].name, &params, NULL) == DIFFLNS_OK);
    params.agents = 1;
    if (!large && params.kind != DL_MAP_RANDOM) shrink(&params);
    need(dl_generate(&params, seed, &scratch, &instance, NULL) == DIFFLNS_OK);
    dl_map *map = dl_map_share(instance->map);
    dl_instance_free(instance);
    dl_generator_scratch_free(&scratch);
    return map;
}

/* ---- Runs ---- */

/* A signal ends the run at work; what was driven counts. */
static atomic_int stopped;

static void stop(int signal)
{
    (void)signal;
    atomic_store(&stopped, 1);
}

/* What all runs of a family, or of all families, came to. */
typedef struct tally {
    int runs, least_robots, most_robots, slow;
    int64_t ticks, robot_ticks, goals, taken_back, escorted, collisions, longest_still, longest_task;
    double longest_per_robot; /* the longest task, in ticks for each robot of its fleet */
    double seconds;
} tally;

static int64_t largest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void add(tally *sum, const tally *run)
{
    sum->least_robots = sum->runs == 0 || run->least_robots < sum->least_robots ? run->least_robots : sum->least_robots;
    sum->most_robots = (int)largest(sum->most_robots, run->most_robots);
    sum->runs += run->runs;
    sum->slow += run->slow;
    sum->ticks += run->ticks;
    sum->robot_ticks += run->robot_ticks;
    sum->goals += run->goals;
    sum->taken_back += run->taken_back;
    sum->escorted += run->escorted;
    sum->collisions += run->collisions;
    sum->longest_still = largest(sum->longest_still, run->longest_still);
    sum->longest_task = largest(sum->longest_task, run->longest_task);
    if (run->longest_per_robot > sum->longest_per_robot) sum->longest_per_robot = run->longest_per_robot;
    sum->seconds += run->seconds;
}

static tally drive(int family, uint64_t seed, int64_t most_ticks)
{
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('s', 'o', 'a', 'k'), 0);
    dl_map *map = make_map(family, seed, dl_rng_below(&rng, LARGE_ONE_IN) == 0);
    const dl_grid *grid = dl_map_grid(map);
    double share = LEAST_SHARE + (FAMILY[family].most_share - LEAST_SHARE) * dl_rng_unit(&rng);
    dl_live_settings settings = {.map = map, .delay = DELAY, .seed = seed, .stop = &stopped};
    settings.robots = (int)(share * grid->component_size[dl_grid_largest_component(grid)]);
    settings.iterations = dl_rng_below(&rng, 2) ? FEWEST_ITERATIONS : MOST_ITERATIONS;
    int64_t slowest = SLOWEST_LEAST + (int64_t)FAMILY[family].slowest_per_robot * settings.robots;
    settings.ticks = largest(SHORTEST_RUN, TASKS_PER_RUN * slowest);
    if (settings.ticks > most_ticks) settings.ticks = most_ticks;
    dl_live_run run;
    dl_error err;
    double began = dl_thread_now();
    if (dl_live_simulate(&settings, false, NULL, &run, &err) != DIFFLNS_OK) {
        printf("run %llu: %s\n", (unsigned long long)seed, err.message);
        exit(1);
    }
    tally t = {.runs = 1,
               .least_robots = run.robots,
               .most_robots = run.robots,
               .slow = run.longest_task > slowest,
               .ticks = run.ticks,
               .robot_ticks = run.ticks * run.robots,
               .goals = run.reached,
               .taken_back = run.taken_back,
               .escorted = run.escorted,
               .collisions = run.collisions,
               .longest_still = run.longest_still,
               .longest_task = run.longest_task,
               .longest_per_robot = (double)run.longest_task / run.robots,
               .seconds = dl_thread_now() - began};
    if (t.collisions > 0 || t.slow > 0)
        printf("run %llu: %s, %d robots: %lld collisions, the longest task took %lld ticks (soak --run %llu)\n",
               (unsigned long long)seed, FAMILY[family].name, run.robots, (long long)t.collisions,
               (long long)t.longest_task, (unsigned long long)seed);
    dl_live_run_free(&run);
    difflns_map_free(map);
    return t;
}

static void print(const char *name, const tally *t)
{
    printf("%-16s %5d %9lld %4d-%-4d %12lld %10lld %8lld %7.1f%% %10lld %8lld %8lld %6.1f %8.0f\n", name, t->runs,
           (long long)t->ticks, t->least_robots, t->most_robots, (long long)t->robot_ticks, (long long)t->goals,
           (long long)t->taken_back, 100 * (double)t->escorted / (double)t->ticks, (long long)t->collisions,
           (long long)t->longest_still, (long long)t->longest_task, t->longest_per_robot, t->seconds);
}

static void summarize(const tally *of)
{
    tally all = {0};
    printf("%-16s %5s %9s %-9s %12s %10s %8s %8s %10s %8s %8s %6s %8s\n", "family", "runs", "ticks", "   robots",
           "robot ticks", "goals", "no way", "escorts", "collisions", "still", "task", "/robot", "CPU s");
    for (int family = 0; family < FAMILIES; family++) {
        if (of[family].runs == 0) continue;
        print(FAMILY[family].name, &of[family]);
        add(&all, &of[family]);
    }
    print("all", &all);
}

int main(int arguments, char **argument)
{
    bool one = arguments == 3 && strcmp(argument[1], "--run") == 0;
    int64_t wanted = one ? 1 : arguments > 1 ? strtoll(argument[1], NULL, 10) : 100000;
    uint64_t seed = arguments > 2 ? strtoull(argument[2], NULL, 10) : 1;
    int64_t most = arguments > 3 ? strtoll(argument[3], NULL, 10) : INT64_MAX;
    tally of[FAMILIES] = {0};
    bool bad = false;
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    for (int64_t ticks = 0; ticks < wanted && !atomic_load(&stopped); seed++) {
        int family = (int)(seed % FAMILIES);
        tally run = drive(family, seed, most);
        ticks += run.ticks;
        bad = bad || run.collisions > 0 || run.slow > 0;
        add(&of[family], &run);
        fflush(stdout);
    }
    summarize(of);
    return bad;
}

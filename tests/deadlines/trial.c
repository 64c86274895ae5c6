#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "generate/generate.h"

static const double SHORTEST = 1e-3, LONGEST = 5; /* limits in seconds */
enum { MOST_AGENTS = 5000, LEAST_LARGE_SIDE = 64 };

static const char *const LARGE[] = {"random", "maze", "room", "warehouse", "open", "serpentine"};
static const char *const INIT[] = {"auto", "diffusion", "pp", "pibt", "slack", "paths", "lacam", "traffic"};
static const char *const STOP[] = {"first", "settled", "limit"};
static const int THREADS[] = {1, 1, 2, 4};
#define COUNT(array)     (sizeof(array) / sizeof(array)[0])
#define PICK(rng, array) (array)[dl_rng_below(rng, COUNT(array))]

/* Small ones as often as large ones, by orders of magnitude. */
static double draw_size(dl_rng *rng, double least, double most)
{
    return least * exp(dl_rng_unit(rng) * log(most / least));
}

static bool is_family(const trial *t)
{
    return t->side == 0;
}

/* False for those that no generator makes. */
static bool params_of(const trial *t, dl_generate_params *params)
{
    if (dl_generate_preset(strcmp(t->map, "open") == 0 ? "random" : t->map, params, NULL) != DIFFLNS_OK) return false;
    params->agents = t->agents;
    if (is_family(t)) return true;
    params->height = params->width = t->side | 1;
    params->connected = 0.5;
    params->shelf_rows = params->shelf_columns = t->side / 4;
    if (strcmp(t->map, "open") == 0) params->density = 0;
    params->room_size = 7;
    params->least_doors = params->most_doors = 3 * (t->side / 8) * (t->side / 8) / 2;
    return true;
}

trial trial_draw(uint64_t seed, int most_side)
{
    enum { ONE_LARGE_IN = 10 };
    trial t = {.seed = seed};
    dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('d', 'e', 'a', 'd'), 0);
    int families = 0;
    while (difflns_family_name(families)) families++;
    bool large = dl_rng_below(&rng, ONE_LARGE_IN) == 0 && most_side > LEAST_LARGE_SIDE;
    if (large) t.side = (int)draw_size(&rng, LEAST_LARGE_SIDE, most_side);
    snprintf(t.map, sizeof t.map, "%s",
             large ? PICK(&rng, LARGE) : difflns_family_name((int)dl_rng_below(&rng, (uint32_t)families)));
    t.agents = (int)draw_size(&rng, 1, MOST_AGENTS);
    dl_generate_params params;
    while (t.agents > 1 && params_of(&t, &params) && dl_generate_check(&params, NULL) != DIFFLNS_OK)
        t.agents = t.agents * 7 / 8;
    t.init = PICK(&rng, INIT);
    t.stop = PICK(&rng, STOP);
    t.threads = PICK(&rng, THREADS);
    t.limit = draw_size(&rng, SHORTEST, LONGEST);
    return t;
}

/* One corridor through the whole map, up and down: the longest distances there are. */
static difflns_instance *make_serpentine(const trial *t)
{
    int side = t->side | 1, agents = t->agents < side ? t->agents : side;
    uint8_t *blocked = calloc((size_t)side * (size_t)side, 1);
    difflns_cell *cell = calloc(2 * (size_t)agents, sizeof *cell);
    difflns_instance *instance = NULL;
    for (int row = 1; row < side; row += 2)
        for (int col = 0; col < side; col++) blocked[row * side + col] = col != (row % 4 == 1 ? side - 1 : 0);
    for (int i = 0; i < agents; i++) { /* all go the same way, so that there is a plan */
        cell[i] = (difflns_cell){0, i};
        cell[agents + i] = (difflns_cell){side - 1, (side / 2) % 2 ? side - 1 - i : i};
    }
    difflns_instance_create(side, side, blocked, agents, cell, cell + agents, &instance, NULL);
    free(blocked);
    free(cell);
    return instance;
}

difflns_instance *trial_instance(const trial *t)
{
    if (strcmp(t->map, "serpentine") == 0) return make_serpentine(t);
    dl_generate_params params;
    dl_generator_scratch scratch = {0};
    dl_instance *made = NULL;
    difflns_instance *instance = NULL;
    if (params_of(t, &params)) dl_generate(&params, t->seed, &scratch, &made, NULL);
    dl_generator_scratch_free(&scratch);
    if (!made) return NULL;
    const dl_grid *grid = made->grid;
    int agents = made->agents;
    difflns_cell *cell = malloc(2 * sizeof *cell * (size_t)agents);
    for (int i = 0; i < agents; i++) {
        cell[i] = dl_grid_position(grid, made->start[i]);
        cell[agents + i] = dl_grid_position(grid, made->goal[i]);
    }
    difflns_instance_create(grid->height, grid->width, grid->blocked, agents, cell, cell + agents, &instance, NULL);
    free(cell);
    dl_instance_free(made);
    return instance;
}

difflns_status trial_run(const trial *t, const difflns_instance *instance, const difflns_model *model,
                         difflns_error *err)
{
    difflns_solver *solver = NULL;
    difflns_plan *plan = NULL;
    difflns_status status = difflns_solver_create(&solver, err);
    if (status == DIFFLNS_OK) status = difflns_solver_set_model(solver, model, err);
    if (status == DIFFLNS_OK) status = difflns_solver_set(solver, "init", t->init, err);
    if (status == DIFFLNS_OK) status = difflns_solver_set(solver, "stop", t->stop, err);
    if (status == DIFFLNS_OK) status = difflns_solver_set_number(solver, "threads", t->threads, err);
    if (status == DIFFLNS_OK) status = difflns_solver_set_number(solver, "seed", (double)t->seed, err);
    if (status == DIFFLNS_OK) status = difflns_solver_set_number(solver, "time", t->limit, err);
    if (status == DIFFLNS_OK) status = difflns_solver_solve(solver, instance, &plan, err);
    difflns_plan_free(plan);
    difflns_solver_free(solver);
    return status;
}

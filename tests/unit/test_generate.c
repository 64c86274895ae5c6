#include "support.h"

#include <math.h>
#include <pthread.h>

#include "generate/generate.h"
#include "generate/settings.h"
#include "mapf/distance.h"

static dl_generate_params preset(const char *family, int agents)
{
    dl_generate_params params;
    dl_error err;
    if (dl_generate_preset(family, &params, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    params.agents = agents;
    return params;
}

static dl_instance *generate(const dl_generate_params *params, uint64_t seed, dl_generator_scratch *scratch)
{
    dl_instance *instance;
    dl_error err;
    if (dl_generate(params, seed, scratch, &instance, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    return instance;
}

/* FNV-1a over everything an instance says. */
static uint64_t hash_of(const dl_instance *instance)
{
    const dl_grid *grid = instance->grid;
    uint64_t hash = 14695981039346656037u;
#define MIX(value) hash = (hash ^ (uint64_t)(value)) * 1099511628211u
    MIX(grid->height), MIX(grid->width), MIX(instance->agents);
    for (int i = 0; i < grid->height * grid->width; i++) MIX(grid->blocked[i]);
    for (int i = 0; i < instance->agents; i++) MIX(instance->start[i]), MIX(instance->goal[i]);
    for (const char *c = instance->map_name; *c; c++) MIX((unsigned char)*c);
#undef MIX
    return hash;
}

static int obstacles(const dl_grid *grid)
{
    return grid->height * grid->width - grid->cells;
}

static double mean_distance(const dl_instance *instance)
{
    dl_distance *distance = dl_distance_create(instance);
    int64_t sum = dl_distance_lower_bound(distance);
    dl_distance_free(distance);
    assert_true(sum >= 0);
    return (double)sum / instance->agents;
}

/* ---- The reference sample ------------------------------------------------------------------------------------- */

/* What 16 instances of each family show that the paper's setting was read from, four for each number of agents. */
enum { PER_SETTING = 4, SETTINGS = 4, SAMPLE = PER_SETTING * SETTINGS };
static const struct sample {
    const char *family;
    int agents[SETTINGS];
    int least_obstacles, most_obstacles;
    double obstacles;
    int least_largest;
    double largest, distance; /* cells of the largest component; steps from start to goal */
} SAMPLES[] = {
    {"small-random", {45, 50, 55, 60}, 17, 17, 17.0000, 79, 82.4375, 7.2127},
    {"medium-maze", {160, 170, 180, 190}, 178, 215, 199.2500, 410, 425.7500, 19.6517},
    {"medium-room", {150, 164, 178, 192}, 169, 184, 174.2500, 345, 354.7500, 17.0638},
    {"medium-warehouse", {204, 220, 236, 252}, 216, 216, 216.0000, 409, 409.0000, 18.3733},
    {"large-maze", {264, 280, 296, 312}, 334, 377, 361.6875, 712, 727.3125, 25.5742},
};
enum { SAMPLED_FAMILIES = sizeof SAMPLES / sizeof SAMPLES[0] };

typedef struct series {
    double count, sum, squares, least, most;
} series;

static void add(series *s, double value)
{
    if (s->count == 0 || value < s->least) s->least = value;
    if (s->count == 0 || value > s->most) s->most = value;
    s->count++;
    s->sum += value;
    s->squares += value * value;
}

/* True if 16 draws of the series can well have the sample's mean: within four of their standard errors. */
static bool agrees(const char *family, const char *what, const series *s, double sample_mean)
{
    double mean = s->sum / s->count, variance = s->squares / s->count - mean * mean;
    double error = sqrt(variance > 0 ? variance / SAMPLE : 0) + 1e-9;
    if (fabs(mean - sample_mean) <= 4 * error) return true;
    print_error("%s: mean %s %.3f, the sample has %.3f (standard error %.3f)\n", family, what, mean, sample_mean,
                error);
    return false;
}

static void generated_instances_have_the_statistics_of_the_sample(void **state)
{
    (void)state;
    bool good = true;
    for (int f = 0; f < SAMPLED_FAMILIES; f++) {
        const struct sample *sample = &SAMPLES[f];
        dl_generator_scratch scratch = {0};
        series blocked = {0}, largest = {0}, distance = {0};
        for (int seed = 0; seed < 200; seed++) {
            dl_generate_params params = preset(sample->family, sample->agents[seed % SETTINGS]);
            dl_instance *instance = generate(&params, (uint64_t)seed, &scratch);
            const dl_grid *grid = instance->grid;
            add(&blocked, obstacles(grid));
            add(&largest, grid->component_size[dl_grid_largest_component(grid)]);
            add(&distance, mean_distance(instance));
            dl_instance_free(instance);
        }
        good &= agrees(sample->family, "obstacles", &blocked, sample->obstacles);
        good &= agrees(sample->family, "largest component", &largest, sample->largest);
        good &= agrees(sample->family, "distance", &distance, sample->distance);
        assert_true(blocked.least <= sample->least_obstacles && blocked.most >= sample->most_obstacles);
        assert_true(largest.least <= sample->least_largest);
        dl_generator_scratch_free(&scratch);
    }
    assert_true(good);
}

/* The density ranges and means that the families are described by: medium-maze 27-37 %, mean 33 %, and so on. The
 * extremes were seen over some hundred maps, so thousands may pass them a little. */
static void densities_lie_in_the_stated_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *family;
        double low, high, mean;
    } STATED[] = {{"small-random", 0.17, 0.17, 0.17},   {"medium-maze", 0.27, 0.37, 0.33},
                  {"medium-room", 0.319, 0.350, 0.335}, {"medium-warehouse", 0.3456, 0.3456, 0.3456},
                  {"large-maze", 0.29, 0.37, 0.33},     {"maze", 0.27, 0.37, 0.33},
                  {"room", 0.319, 0.350, 0.335},        {"warehouse", 0.3403, 0.3403, 0.3403}};
    dl_generator_scratch scratch = {0};
    for (size_t f = 0; f < sizeof STATED / sizeof STATED[0]; f++) {
        dl_generate_params params = preset(STATED[f].family, 10);
        series density = {0};
        for (uint64_t seed = 0; seed < 1000; seed++) {
            dl_instance *instance = generate(&params, seed, &scratch);
            const dl_grid *grid = instance->grid;
            add(&density, (double)obstacles(grid) / (grid->height * grid->width));
            dl_instance_free(instance);
        }
        assert_true(density.least >= STATED[f].low - 0.015 && density.most <= STATED[f].high + 0.015);
        assert_float_equal(density.sum / density.count, STATED[f].mean, 0.01);
    }
    dl_generator_scratch_free(&scratch);
}

/* ---- Invariants ------------------------------------------------------------------------------------------------ */

static bool blocked_at(const dl_grid *grid, int row, int col)
{
    return grid->blocked[row * grid->width + col] != 0;
}

static void check_placement(const dl_instance *instance, dl_placement placement)
{
    const dl_grid *grid = instance->grid;
    int home = dl_grid_largest_component(grid);
    uint8_t *use = calloc((size_t)grid->cells, 1); /* bit 0: a start, bit 1: a goal */
    for (int i = 0; i < instance->agents; i++) {
        assert_int_equal(grid->component[instance->start[i]], home);
        assert_int_equal(grid->component[instance->goal[i]], home);
        assert_false(use[instance->start[i]] & 1);
        use[instance->start[i]] |= 1;
        assert_false(use[instance->goal[i]] & 2);
        use[instance->goal[i]] |= 2;
    }
    for (dl_cell cell = 0; cell < grid->cells && placement == DL_PLACE_DISJOINT; cell++) assert_true(use[cell] < 3);
    free(use);
}

/* Walls stand on odd-odd cells and the links between them, even-even cells are free, and no wall closes a circle: so
 * all free cells are connected. No wall touches the bottom or the right edge. */
static void check_maze(const dl_grid *grid)
{
    for (int row = 0; row < grid->height; row += 2)
        for (int col = 0; col < grid->width; col += 2) assert_false(blocked_at(grid, row, col));
    for (int i = 0; i < grid->height; i++) assert_false(blocked_at(grid, i, grid->width - 1));
    for (int i = 0; i < grid->width; i++) assert_false(blocked_at(grid, grid->height - 1, i));
    assert_int_equal(grid->components, 1);
}

/* The free cells among `length` from (row, col) on, along a row or a column. */
static int doors_in(const dl_grid *grid, int row, int col, bool along_row, int length)
{
    int doors = 0;
    for (int i = 0; i < length; i++) doors += !blocked_at(grid, along_row ? row : row + i, along_row ? col + i : col);
    return doors;
}

static void check_rooms(const dl_grid *grid)
{
    enum { SIDE = 23, PITCH = 4 };
    assert_int_equal(grid->height, SIDE);
    assert_int_equal(grid->width, SIDE);
    int doors = 0, segments = 0;
    for (int row = 0; row < SIDE; row++)
        for (int col = 0; col < SIDE; col++) {
            if (row % PITCH && col % PITCH) assert_false(blocked_at(grid, row, col));
            if (row % PITCH || col % PITCH) continue;
            assert_true(blocked_at(grid, row, col));
            int along = SIDE - col - 1 < PITCH - 1 ? SIDE - col - 1 : PITCH - 1;
            int down = SIDE - row - 1 < PITCH - 1 ? SIDE - row - 1 : PITCH - 1;
            int right_doors = doors_in(grid, row, col + 1, true, along);
            int down_doors = doors_in(grid, row + 1, col, false, down);
            assert_true(right_doors <= 1 && down_doors <= 1);
            doors += right_doors + down_doors;
            segments += 2;
        }
    assert_int_equal(segments, 72);
    assert_true(doors >= 55 && doors <= 71);
    assert_int_equal(grid->components, 1);
}

static void check_warehouse(const dl_grid *grid)
{
    int strip = grid->height == 25 ? 1 : 2, side = grid->height == 25 ? 5 : 4;
    for (int row = 0; row < grid->height; row++)
        for (int col = 0; col < grid->width; col++) {
            bool among = row >= strip && row < grid->height - strip && col >= side && col < grid->width - side;
            bool shelf = among && (row - strip) % 4 < 3 && (col - side) % 4 < 3;
            assert_int_equal(blocked_at(grid, row, col), shelf);
        }
    assert_int_equal(obstacles(grid), grid->height == 25 ? 216 : 180);
}

static void maps_keep_their_promises_on_thousands_of_seeds(void **state)
{
    (void)state;
    dl_generator_scratch scratch = {0};
    for (int f = 0; dl_generate_preset_name(f); f++) {
        dl_generate_params params = preset(dl_generate_preset_name(f), 40);
        for (uint64_t seed = 0; seed < 1000; seed++) {
            params.placement = seed % 2 ? DL_PLACE_DISJOINT : DL_PLACE_ANY;
            if (params.placement == DL_PLACE_DISJOINT && params.height == 10) params.agents = 30;
            dl_instance *instance = generate(&params, seed, &scratch);
            check_placement(instance, params.placement);
            const dl_grid *grid = instance->grid;
            switch (params.kind) {
            case DL_MAP_RANDOM:
                assert_int_equal(obstacles(grid), grid->height * grid->width * 17 / 100);
                break;
            case DL_MAP_MAZE:
                check_maze(grid);
                break;
            case DL_MAP_ROOM:
                check_rooms(grid);
                break;
            case DL_MAP_WAREHOUSE:
                check_warehouse(grid);
                break;
            }
            dl_instance_free(instance);
        }
    }
    dl_generator_scratch_free(&scratch);
}

static void every_cell_is_drawn_as_often_as_any_other(void **state)
{
    (void)state;
    enum { ROUNDS = 1000, AGENTS = 252, CELLS = 409 };
    dl_generator_scratch scratch = {0};
    dl_generate_params params = preset("medium-warehouse", AGENTS);
    int starts[CELLS] = {0}, goals[CELLS] = {0}, both = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        dl_instance *instance = generate(&params, seed, &scratch);
        for (int i = 0; i < AGENTS; i++) {
            starts[instance->start[i]]++;
            goals[instance->goal[i]]++;
            both += instance->start[i] == instance->goal[i];
        }
        dl_instance_free(instance);
    }
    double share = (double)AGENTS / CELLS, mean = ROUNDS * share, sigma = sqrt(mean * (1 - share));
    for (int cell = 0; cell < CELLS; cell++) {
        assert_true(fabs(starts[cell] - mean) < 5 * sigma);
        assert_true(fabs(goals[cell] - mean) < 5 * sigma);
    }
    /* Goals know nothing of starts: an agent starts on its goal once in 409 times. */
    double same = (double)ROUNDS * AGENTS / CELLS;
    assert_true(fabs(both - same) < 5 * sqrt(same));
    dl_generator_scratch_free(&scratch);
}

/* ---- Determinism ----------------------------------------------------------------------------------------------- */

static void instances_are_the_same_everywhere_and_for_ever(void **state)
{
    (void)state;
    static const struct {
        const char *family;
        int agents;
        dl_placement placement;
        uint64_t seed, hash;
    } PINNED[] = {
        {"small-random", 60, DL_PLACE_ANY, 1, 0x2ce9af777a5db25d},
        {"medium-maze", 190, DL_PLACE_ANY, 1, 0x08b96cd343c5f2e2},
        {"medium-room", 192, DL_PLACE_ANY, 1, 0xef48c16ceee4281b},
        {"medium-warehouse", 252, DL_PLACE_ANY, 1, 0xcdb676c394934d90},
        {"large-maze", 312, DL_PLACE_ANY, 1, 0x58edcfa29d3dc811},
        {"random", 96, DL_PLACE_DISJOINT, 7, 0x0425ead9ed076a97},
        {"maze", 96, DL_PLACE_DISJOINT, 7, 0xa8435e6c0d653459},
        {"room", 96, DL_PLACE_DISJOINT, 7, 0x0fd61c86a601a85d},
        {"warehouse", 96, DL_PLACE_DISJOINT, UINT64_MAX, 0xe7ca7a475be8582f},
    };
    dl_generator_scratch scratch = {0};
    bool good = true;
    for (size_t i = 0; i < sizeof PINNED / sizeof PINNED[0]; i++) {
        dl_generate_params params = preset(PINNED[i].family, PINNED[i].agents);
        params.placement = PINNED[i].placement;
        dl_instance *instance = generate(&params, PINNED[i].seed, &scratch);
        if (hash_of(instance) != PINNED[i].hash) {
            print_error("%s: 0x%016llx\n", PINNED[i].family, (unsigned long long)hash_of(instance));
            good = false;
        }
        dl_instance_free(instance);
    }
    dl_generator_scratch_free(&scratch);
    assert_true(good);
}

static void more_agents_extend_fewer(void **state)
{
    (void)state;
    dl_generator_scratch scratch = {0};
    for (int f = 0; dl_generate_preset_name(f); f++)
        for (int placement = DL_PLACE_ANY; placement <= DL_PLACE_DISJOINT; placement++) {
            dl_generate_params params = preset(dl_generate_preset_name(f), 12);
            params.placement = (dl_placement)placement;
            dl_instance *few = generate(&params, 3, &scratch);
            params.agents = 35;
            dl_instance *many = generate(&params, 3, &scratch);
            assert_int_equal(few->grid->cells, many->grid->cells);
            assert_memory_equal(few->grid->blocked, many->grid->blocked, few->grid->height * few->grid->width);
            assert_memory_equal(few->start, many->start, 12 * sizeof *few->start);
            assert_memory_equal(few->goal, many->goal, 12 * sizeof *few->goal);
            dl_instance_free(few);
            dl_instance_free(many);
        }
    dl_generator_scratch_free(&scratch);
}

enum { THREADS = 4, PER_THREAD = 60 };

static void *generate_many(void *argument)
{
    uint64_t *hashes = argument;
    dl_generator_scratch scratch = {0};
    for (uint64_t seed = 0; seed < PER_THREAD; seed++) {
        dl_generate_params params = preset(dl_generate_preset_name((int)(seed % 9)), 40);
        dl_instance *instance = generate(&params, seed, &scratch);
        hashes[seed] = hash_of(instance);
        dl_instance_free(instance);
    }
    dl_generator_scratch_free(&scratch);
    return NULL;
}

static void threads_and_used_scratch_change_nothing(void **state)
{
    (void)state;
    static uint64_t hashes[THREADS][PER_THREAD];
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, generate_many, hashes[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (uint64_t seed = 0; seed < PER_THREAD; seed++) {
        dl_generator_scratch fresh = {0};
        dl_generate_params params = preset(dl_generate_preset_name((int)(seed % 9)), 40);
        dl_instance *instance = generate(&params, seed, &fresh);
        for (int i = 0; i < THREADS; i++) assert_true(hashes[i][seed] == hash_of(instance));
        dl_instance_free(instance);
        dl_generator_scratch_free(&fresh);
    }
}

/* ---- Parameters ------------------------------------------------------------------------------------------------ */

static void expect_refusal(const dl_generate_params *params, const char *message)
{
    dl_generator_scratch scratch = {0};
    dl_instance *instance;
    dl_error err;
    assert_int_equal(dl_generate(params, 1, &scratch, &instance, &err), DIFFLNS_BAD_INPUT);
    assert_string_equal(err.message, message);
    assert_null(instance);
    dl_generator_scratch_free(&scratch);
}

static void impossible_requests_are_refused_with_a_clear_line(void **state)
{
    (void)state;
    dl_generate_params params = preset("small-random", 84);
    expect_refusal(&params, "small-random: 84 agents need 84 free cells, its maps have at most 83");
    params.agents = 42;
    params.placement = DL_PLACE_DISJOINT;
    expect_refusal(
        &params, "small-random: 42 agents need 84 free cells for disjoint starts and goals, its maps have at most 83");
    params = preset("medium-room", 361);
    expect_refusal(&params, "medium-room: 361 agents need 361 free cells, its maps have at most 360");
    params = preset("medium-warehouse", 410);
    expect_refusal(&params, "medium-warehouse: 410 agents need 410 free cells, its maps have at most 409");
    params = preset("medium-maze", 600);
    expect_refusal(&params, "medium-maze: seed 1: no map with 600 cells in one component that holds 97% of the free "
                            "cells turned up: expected other parameters or fewer agents");
    params = preset("medium-maze", 0);
    expect_refusal(&params, "medium-maze: agents 0: expected 1 to 65534");
    params = preset("medium-maze", 10);
    params.width = 24;
    expect_refusal(&params, "medium-maze: maze of height 25 and width 24: expected odd numbers");
    params = preset("medium-maze", 10);
    params.density = NAN;
    expect_refusal(&params, "medium-maze: density nan: expected 0 to 1");
    params = preset("room", 10);
    params.most_doors = 73;
    expect_refusal(&params, "room: 55 to 73 doors: expected a range within 0 to 72, the wall segments");
    params = preset("warehouse", 10);
    params.shelf_rows = 2000;
    expect_refusal(&params, "warehouse: height 8003: expected 1 to 4096");
    params = preset("random", 10);
    params.height = 0;
    expect_refusal(&params, "random: height 0: expected 1 to 4096");
    dl_error err;
    assert_int_equal(dl_generate_preset("labyrinth", &params, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "unknown family \"labyrinth\": expected small-random, "));
}

static void a_full_map_is_possible(void **state)
{
    (void)state;
    dl_generator_scratch scratch = {0};
    dl_generate_params params = preset("small-random", 83);
    for (uint64_t seed = 0; seed < 20; seed++) dl_instance_free(generate(&params, seed, &scratch));
    params = preset("medium-warehouse", 409);
    dl_instance_free(generate(&params, 1, &scratch));
    dl_generator_scratch_free(&scratch);
}

static void parameters_reach_the_map(void **state)
{
    (void)state;
    dl_generator_scratch scratch = {0};
    dl_generate_params params = preset("random", 5);
    params.height = 7;
    params.width = 13;
    params.density = 0.29; /* 26.39 cells */
    dl_instance *instance = generate(&params, 1, &scratch);
    assert_int_equal(obstacles(instance->grid), 26);
    dl_instance_free(instance);

    params.height = params.width = 10; /* 0.29 * 100 is 28.999... in binary */
    instance = generate(&params, 1, &scratch);
    assert_int_equal(obstacles(instance->grid), 29);
    dl_instance_free(instance);

    params = preset("maze", 5);
    params.height = 41;
    params.width = 7;
    params.straightness = 1;
    instance = generate(&params, 1, &scratch);
    assert_int_equal(instance->grid->height, 41);
    assert_int_equal(instance->grid->width, 7);
    dl_instance_free(instance);

    params = preset("room", 5);
    params.height = 9; /* a wall on the far edge has no segments behind it: 3 x 2 of them each way, 12 */
    params.width = 9;
    params.least_doors = params.most_doors = 12;
    instance = generate(&params, 1, &scratch);
    assert_int_equal(instance->grid->cells, 4 * 9 + 12);
    dl_instance_free(instance);

    params = preset("warehouse", 5);
    params.shelf_width = 7;
    params.column_gap = 2;
    params.side_strip = 0;
    params.shelf_columns = 3;
    instance = generate(&params, 1, &scratch);
    assert_int_equal(instance->grid->width, 3 * 7 + 2 * 2);
    assert_int_equal(obstacles(instance->grid), 3 * 7 * 3 * 5);
    dl_instance_free(instance);
    dl_generator_scratch_free(&scratch);
}

static void every_setting_of_the_table_can_be_generated(void **state)
{
    (void)state;
    dl_generator_scratch scratch = {0};
    for (int i = 0; i < DL_SETTINGS; i++) {
        const dl_setting *setting = &DL_SETTING[i];
        assert_int_equal(setting->frontier, i >= DL_PAPER_SETTINGS);
        assert_true(setting->cases > 0 && setting->seconds > 0);
        dl_generate_params params = preset(setting->family, setting->agents);
        for (uint64_t seed = 0; seed < 20; seed++) {
            dl_instance *instance = generate(&params, seed, &scratch);
            assert_int_equal(instance->agents, setting->agents);
            dl_instance_free(instance);
        }
        for (int k = 0; k < i; k++) /* the table says each thing once, and the frontier lies beyond the paper */
            if (strcmp(DL_SETTING[k].family, setting->family) == 0) assert_true(DL_SETTING[k].agents < setting->agents);
    }
    dl_generator_scratch_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_instances_have_the_statistics_of_the_sample),
        cmocka_unit_test(densities_lie_in_the_stated_ranges),
        cmocka_unit_test(maps_keep_their_promises_on_thousands_of_seeds),
        cmocka_unit_test(every_cell_is_drawn_as_often_as_any_other),
        cmocka_unit_test(instances_are_the_same_everywhere_and_for_ever),
        cmocka_unit_test(more_agents_extend_fewer),
        cmocka_unit_test(threads_and_used_scratch_change_nothing),
        cmocka_unit_test(impossible_requests_are_refused_with_a_clear_line),
        cmocka_unit_test(a_full_map_is_possible),
        cmocka_unit_test(parameters_reach_the_map),
        cmocka_unit_test(every_setting_of_the_table_can_be_generated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

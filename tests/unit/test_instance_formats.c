/* Maps and scenarios, MovingAI and POGEMA: round trips, the forms met in the field, refusals. */
#include <unistd.h>
#include <zstd.h>

#include "formats/load.h"
#include "formats/movingai.h"
#include "formats/pogema.h"
#include "support.h"

typedef struct files {
    char map[64], scen[64];
} files;

static files file_names(const char *map_end, const char *scen_end)
{
    files names;
    snprintf(names.map, sizeof names.map, "test_instance_formats.%d%s", (int)getpid(), map_end);
    snprintf(names.scen, sizeof names.scen, "test_instance_formats.%d%s", (int)getpid(), scen_end);
    return names;
}

static void remove_files(const files *names)
{
    unlink(names->map);
    unlink(names->scen);
}

static void put(const char *path, const void *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    fclose(stream);
}

static bool same_instance(const dl_instance *a, const dl_instance *b)
{
    const dl_grid *g = a->grid, *h = b->grid;
    return g->height == h->height && g->width == h->width && a->agents == b->agents &&
           memcmp(g->blocked, h->blocked, (size_t)g->height * (size_t)g->width) == 0 &&
           memcmp(a->start, b->start, sizeof *a->start * (size_t)a->agents) == 0 &&
           memcmp(a->goal, b->goal, sizeof *a->goal * (size_t)a->agents) == 0;
}

static void random_instances_survive_every_pair_of_formats(void **state)
{
    (void)state;
    static const char *const ENDS[][2] = {
        {".map", ".scen"}, {"-maps.yaml", "-scenarios.yaml"}, {".map", ".yml"}, {".yaml", ".scen"}};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        dl_rng rng = dl_rng_stream(seed, DL_PURPOSE('f', 'i', 'l', 'e'), 0);
        int height = 1 + (int)dl_rng_below(&rng, 20), width = 1 + (int)dl_rng_below(&rng, 20);
        dl_instance *instance = test_random_instance(&rng, height, width, 0.3, 1 + (int)dl_rng_below(&rng, 40)), *again;
        if (!instance) continue;
        for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++) {
            files names = file_names(ENDS[i][0], ENDS[i][1]);
            dl_error err;
            assert_int_equal(dl_instance_write_map(instance, names.map, &err), DIFFLNS_OK);
            assert_int_equal(dl_instance_write_scen(instance, names.scen, &err), DIFFLNS_OK);
            if (dl_instance_load(names.map, names.scen, 0, &again, &err) != DIFFLNS_OK)
                fail_msg("seed %d: %s", (int)seed, err.message);
            if (!same_instance(instance, again)) fail_msg("seed %d, formats %s %s", (int)seed, ENDS[i][0], ENDS[i][1]);
            dl_instance_free(again);
            remove_files(&names);
        }
        dl_instance_free(instance);
    }
}

/* Writes the two texts and loads them; NULL stands for "no scenario". */
static dl_status load_texts(const char *map, const char *scen, const char *map_name, const char *scenario, int agents,
                            dl_instance **out, dl_error *err)
{
    files names = file_names("-a", "-b");
    put(names.map, map, strlen(map));
    if (scen) put(names.scen, scen, strlen(scen));
    dl_status status =
        dl_instance_load_named(names.map, map_name, scen ? names.scen : NULL, scenario, agents, out, err);
    remove_files(&names);
    return status;
}

static const char TOY_MAP[] = "type octile\nheight 4\nwidth 5\nmap\n.....\n.@.T.\n.....\n..@..\n";
static const char TOY_SCEN[] = "version 1\n0\ttoy.map\t5\t4\t0\t0\t4\t0\t4\n0\ttoy.map\t5\t4\t4\t0\t0\t2\t6\n"
                               "0\ttoy.map\t5\t4\t2\t2\t3\t3\t2\n";
static const char TOY_MAPS_YAML[] = "toy: |-\n  .....\n  .#.#.\n  .....\n  ..#..\nother: |-\n  ..\n  ..\n";
static const char TOY_SCEN_YAML[] = "environment: {name: Environment, map_name: toy, num_agents: 3}\n"
                                    "scenarios:\n  One:\n    agents_xy: [[0, 0], [0, 4], [2, 2]]\n"
                                    "    targets_xy: [[0, 4], [2, 0], [3, 3]]\n    map_name: toy\n    seed: 0\n"
                                    "  Two:\n    agents_xy:\n    - [0, 0]\n    targets_xy:\n    - - 1\n      - 1\n"
                                    "    map_name: other\n";

static void assert_loads_as_toy(const char *map, const char *scen, const char *map_name, const char *scenario)
{
    static const int TASKS[3][4] = {{0, 0, 0, 4}, {0, 4, 2, 0}, {2, 2, 3, 3}};
    dl_instance *expected = test_instance("...../.@.@./...../..@..", 3, TASKS), *instance;
    dl_error err;
    if (load_texts(map, scen, map_name, scenario, 0, &instance, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    assert_true(same_instance(expected, instance));
    dl_instance_free(expected);
    dl_instance_free(instance);
}

static void the_toy_instance_is_read_in_every_dress(void **state)
{
    (void)state;
    assert_loads_as_toy(TOY_MAP, TOY_SCEN, NULL, NULL);
    assert_loads_as_toy(TOY_MAPS_YAML, TOY_SCEN_YAML, NULL, "One");
    assert_loads_as_toy(TOY_MAPS_YAML, TOY_SCEN, "toy", NULL);
    assert_loads_as_toy(TOY_MAP, TOY_SCEN_YAML, NULL, "One");
    /* BOM, CRLF, trailing blanks, blank lines at the end, version 1.0, letters of swamp and water */
    assert_loads_as_toy(
        "\xEF\xBB\xBFtype octile\r\nheight 4  \r\nwidth 5\r\nmap\r\n..G..\r\n.@.W.\r\nS....\r\n..@.E\r\n\r\n",
        "\xEF\xBB\xBFversion 1.0\r\n0 toy.map 5 4 0 0 4 0 4.0  \r\n0\ttoy.map\t5\t4\t4\t0\t0\t2\t6\r\n"
        "0\ttoy.map\t5\t4\t2\t2\t3\t3\t2\r\n\r\n",
        NULL, NULL);
    assert_loads_as_toy("\xEF\xBB\xBFtoy: |-\r\n  .....\r\n  .#.#.  \r\n  .....\r\n  ..#..\r\n",
                        "agents_xy: [[0, 0], [0, 4], [2, 2]]\r\ntargets_xy: [[0, 4], [2, 0], [3, 3]]\r\n", NULL, NULL);
    assert_loads_as_toy("seed: 1\non_target: nothing\ntoy: \"@.... .#.#. ...$. ..#.!\"\n",
                        "S: {agents_xy: [[0, 0], [0, 4], [2, 2]], targets_xy: [[0, 4], [2, 0], [3, 3]]}\n", NULL, NULL);
}

static void letters_on_a_pogema_map_are_agents(void **state)
{
    (void)state;
    dl_instance *instance;
    dl_error err;
    assert_int_equal(load_texts("m: |-\n  b.A\n  .#.\n  a.B\n", NULL, NULL, NULL, 0, &instance, &err), DIFFLNS_OK);
    static const int TASKS[2][4] = {{2, 0, 0, 2}, {0, 0, 2, 2}};
    dl_instance *expected = test_instance(".../.#./...", 2, TASKS);
    assert_true(same_instance(expected, instance));
    assert_string_equal(instance->map_name, "m.map");
    dl_instance_free(instance);
    assert_int_equal(load_texts("m: |-\n  b.A\n  .#.\n  a.B\n", NULL, NULL, NULL, 1, &instance, &err), DIFFLNS_OK);
    assert_int_equal(instance->agents, 1);
    dl_instance_free(instance);
    dl_instance_free(expected);
}

static void the_at_sign_is_a_wall_for_movingai_and_floor_for_pogema(void **state)
{
    (void)state;
    dl_instance *instance;
    dl_error err;
    assert_int_equal(load_texts("m: |-\n  .@\n  ..\n", "agents_xy: [[0, 1]]\ntargets_xy: [[1, 1]]\n", NULL, NULL, 0,
                                &instance, &err),
                     DIFFLNS_OK);
    assert_int_equal(instance->grid->cells, 4);
    dl_instance_free(instance);
    assert_int_equal(load_texts("type octile\nheight 2\nwidth 2\nmap\n.@\n..\n", "version 1\n0 m.map 2 2 1 0 1 1 0\n",
                                NULL, NULL, 0, &instance, &err),
                     DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "is an obstacle"));
}

static void refuse(const char *map, const char *scen, const char *map_name, const char *scenario, int agents,
                   const char *part)
{
    dl_instance *instance;
    dl_error err;
    if (load_texts(map, scen, map_name, scenario, agents, &instance, &err) == DIFFLNS_OK)
        fail_msg("accepted:\n%s\n%s", map, scen);
    assert_int_equal(err.status, DIFFLNS_BAD_INPUT);
    assert_null(instance);
    if (!strstr(err.message, part)) fail_msg("message \"%s\" without \"%s\"", err.message, part);
}

static void broken_pogema_files_are_refused_by_name(void **state)
{
    (void)state;
    static const char SCEN[] = "agents_xy: [[0, 0]]\ntargets_xy: [[0, 1]]\n";
    refuse(TOY_MAPS_YAML, TOY_SCEN_YAML, NULL, NULL, 0, "2 scenarios, expected the name of one");
    refuse(TOY_MAPS_YAML, TOY_SCEN_YAML, NULL, "Three", 0,
           "no scenario called \"Three\", expected a name such as \"One\"");
    refuse(TOY_MAPS_YAML, SCEN, NULL, NULL, 0, "2 maps, expected the name of one");
    refuse(TOY_MAPS_YAML, SCEN, "nowhere", NULL, 0, "no map called \"nowhere\"");
    refuse(TOY_MAPS_YAML, TOY_SCEN_YAML, NULL, "One", 4, "3 agents, expected at least 4");
    refuse(TOY_MAP, TOY_SCEN, "toy", NULL, 0, "a map is chosen by name from a POGEMA file");
    refuse(TOY_MAP, TOY_SCEN, NULL, "One", 0, "a scenario is chosen by name from a POGEMA file");
    refuse(TOY_MAP, NULL, NULL, NULL, 0, "the map shows no agents, expected a scenario");
    refuse("m: |-\n  ..\n  ...\n", SCEN, NULL, NULL, 0, ":3: row 1 has 3 cells, expected 2");
    refuse("m: |-\n  ..\n  .?\n", SCEN, NULL, NULL, 0, ":3:2: unknown cell letter \"?\"");
    refuse("m: |-\n  ..\n  .0\n", SCEN, NULL, NULL, 0, ":3:2: unknown cell letter \"0\"");
    refuse("m: |-\n  .a\n  .a\n", NULL, NULL, NULL, 0, ":3:2: 'a' appears twice");
    refuse("m: |-\n  .a\n  .B\n", NULL, NULL, NULL, 0, "'a' without 'A'");
    refuse("m: |-\n  .a\n  @A\n", NULL, NULL, NULL, 0, ":3: letters of agents and @ $ !");
    refuse("m: [1, 2\n", SCEN, NULL, NULL, 0, "not YAML");
    refuse("- a: 1\n", SCEN, NULL, NULL, 0, "expected a MovingAI file, or YAML");
    refuse("seed: 1\n", SCEN, NULL, NULL, 0, "no POGEMA map in this file");
    refuse("m: |-\n  ..\n", "seed: 1\n", NULL, NULL, 0, "no POGEMA scenario in this file");
    refuse("m: |-\n  ..\n", "agents_xy: [[0, 0]]\n", NULL, NULL, 0, "expected lists agents_xy and targets_xy");
    refuse("m: |-\n  ..\n", "agents_xy: [[0, 0], [0, 1]]\ntargets_xy: [[0, 1]]\n", NULL, NULL, 0,
           "2 starts and 1 goals");
    refuse("m: |-\n  ..\n", "agents_xy: [[0, 0]]\ntargets_xy: [[[0, 1], [0, 0]]]\n", NULL, NULL, 0,
           ":2: targets_xy of agent 0: expected [row, col]");
    refuse("m: |-\n  ..\n", "agents_xy: [[0, 0]]\ntargets_xy: [[0, x]]\n", NULL, NULL, 0, "expected [row, col]");
    refuse("m: |-\n  ..\n", "agents_xy: [[0, 0]]\ntargets_xy: [[0, 2]]\n", NULL, NULL, 0,
           "goal of agent 0 at column 2, row 0 is outside the map");
}

static void compressed_instances_are_read(void **state)
{
    (void)state;
    char packed[2][1024];
    files names = file_names(".map.zst", ".scen.zst");
    put(names.map, packed[0], ZSTD_compress(packed[0], sizeof packed[0], TOY_MAP, strlen(TOY_MAP), 3));
    put(names.scen, packed[1], ZSTD_compress(packed[1], sizeof packed[1], TOY_SCEN, strlen(TOY_SCEN), 3));
    dl_instance *instance;
    dl_error err;
    if (dl_instance_load(names.map, names.scen, 0, &instance, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    assert_int_equal(instance->agents, 3);
    assert_string_equal(instance->map_name + strlen(instance->map_name) - 4, ".map");
    dl_instance_free(instance);
    remove_files(&names);
}

static void a_number_of_agents_out_of_range_is_refused_before_any_file_is_read(void **state)
{
    (void)state;
    dl_instance *instance;
    dl_error err;
    assert_int_equal(dl_instance_load("no.map", "no.scen", -1, &instance, &err), DIFFLNS_BAD_INPUT);
    assert_string_equal(err.message, "-1 agents: expected 1 to 65534, or 0 for all");
    assert_int_equal(dl_instance_load("no.map", "no.scen", 65535, &instance, &err), DIFFLNS_BAD_INPUT);
    assert_null(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_instances_survive_every_pair_of_formats),
        cmocka_unit_test(the_toy_instance_is_read_in_every_dress),
        cmocka_unit_test(letters_on_a_pogema_map_are_agents),
        cmocka_unit_test(the_at_sign_is_a_wall_for_movingai_and_floor_for_pogema),
        cmocka_unit_test(broken_pogema_files_are_refused_by_name),
        cmocka_unit_test(compressed_instances_are_read),
        cmocka_unit_test(a_number_of_agents_out_of_range_is_refused_before_any_file_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

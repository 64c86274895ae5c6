#include "support.h"

#include "diffusion/config.h"

static void the_presets_are_valid_and_survive_writing(void **state)
{
    (void)state;
    dl_config presets[] = {dl_config_paper(), dl_config_compact(), dl_config_toy()};
    presets[1].training.learning_rate = 1.0 / 3;
    for (int i = 0; i < 3; i++) {
        dl_text text = {0};
        dl_config back;
        dl_error err;
        dl_config_write(&presets[i], &text);
        assert_int_equal(dl_config_parse("preset", text.data, &back, &err), DIFFLNS_OK);
        assert_memory_equal(&back, &presets[i], sizeof back);
        dl_text_free(&text);
    }
}

static void a_file_changes_only_what_it_names(void **state)
{
    (void)state;
    dl_config config, paper = dl_config_paper();
    dl_error err;
    const char *json = "{\"base\": \"paper\", \"layers\": 2, \"trajectory\": \"map\", \"cost_to_go\": true}";
    assert_int_equal(dl_config_parse("file", json, &config, &err), DIFFLNS_OK);
    paper.network.layers = 2;
    paper.network.trajectory = DL_TRAJECTORY_MAP;
    paper.network.cost_to_go = true;
    assert_memory_equal(&config, &paper, sizeof config);
}

static void what_does_not_fit_is_refused_by_name(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"{", "file:1"},
        {"[]", "object"},
        {"{\"widht\": 64}", "widht"},
        {"{\"width\": 0}", "width"},
        {"{\"width\": 64.5}", "width"},
        {"{\"width\": \"64\"}", "width"},
        {"{\"width\": 64, \"heads\": 3}", "heads"},
        {"{\"width\": 16, \"heads\": 4}", "heads"},
        {"{\"trajectory\": \"other\"}", "paper|map"},
        {"{\"trajectory\": 1}", "paper|map"},
        {"{\"occupancy\": 1}", "occupancy"},
        {"{\"learning_rate\": -1}", "learning_rate"},
        {"{\"neighbors_min\": 9, \"neighbors_max\": 3}", "neighbors_min"},
        {"{\"base\": \"huge\"}", "base"},
        {"{\"width\": 64, \"width\": 32}", "file:1"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        dl_config config;
        dl_error err;
        if (dl_config_parse("file", wrong[i][0], &config, &err) != DIFFLNS_BAD_INPUT)
            fail_msg("accepted %s", wrong[i][0]);
        if (!strstr(err.message, wrong[i][1])) fail_msg("%s: %s", wrong[i][0], err.message);
    }
}

static void a_retired_name_is_ignored_where_it_changed_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        bool anywhere, in_weights;
    } cases[] = {
        {"{\"own_share\": 0, \"wait_weight\": 1.0, \"span_share\": 0, \"level_lean\": 0, \"rate_decay\": 0}", true,
         true},
        {"{\"tokens\": \"absolute\", \"path_choice\": \"likeliest\"}", true, true},
        {"{\"self_conditioning\": false, \"token_levels\": false}", true, true},
        {"{\"own_share\": 0.25, \"rate_decay\": 400}", false, true},
        {"{\"tokens\": \"relative\"}", false, false},
        {"{\"tokens\": 0}", false, false},
        {"{\"token_levels\": true}", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dl_config config, compact = dl_config_compact();
        dl_error err;
        bool taken = dl_config_parse("file", cases[i].json, &config, &err) == DIFFLNS_OK;
        if (taken != cases[i].anywhere) fail_msg("%s", cases[i].json);
        if (taken) assert_memory_equal(&config, &compact, sizeof config);
        taken = dl_config_parse_weights("file", cases[i].json, &config, &err) == DIFFLNS_OK;
        if (taken != cases[i].in_weights) fail_msg("weights: %s", cases[i].json);
        if (taken) assert_memory_equal(&config, &compact, sizeof config);
    }
}

static void feature_rows_hold_every_part_once(void **state)
{
    (void)state;
    dl_config config = dl_config_paper();
    dl_feature_layout layout = dl_config_features(&config);
    assert_int_equal(layout.count, 5);
    assert_int_equal(layout.cost, -1);
    config.network.trajectory = DL_TRAJECTORY_MAP;
    config.network.cost_to_go = config.network.occupancy = true;
    layout = dl_config_features(&config);
    assert_int_equal(layout.inferred, 5);
    assert_int_equal(layout.cost, 10);
    assert_int_equal(layout.occupancy, 15);
    assert_int_equal(layout.count, 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_presets_are_valid_and_survive_writing),
        cmocka_unit_test(a_file_changes_only_what_it_names),
        cmocka_unit_test(what_does_not_fit_is_refused_by_name),
        cmocka_unit_test(a_retired_name_is_ignored_where_it_changed_nothing),
        cmocka_unit_test(feature_rows_hold_every_part_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

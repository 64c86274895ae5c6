#include "support.h"

#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "diffusion/model.h"

static dl_config small_config(void)
{
    dl_config config = dl_config_compact();
    config.network.width = config.network.condition_width = 16;
    config.network.heads = 2;
    config.network.layers = 1;
    config.network.feed_forward = 16;
    config.network.pyramid_width = 4;
    return config;
}

/* The bytes of a model file. */
static dl_file model_bytes(dl_model *model)
{
    char path[100];
    snprintf(path, sizeof path, "/tmp/difflns-test-%d-model", (int)getpid());
    dl_error err;
    if (dl_model_save(model, path, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    dl_file file;
    assert_int_equal(dl_file_read(path, &file, &err), DIFFLNS_OK);
    unlink(path);
    return file;
}

static void a_model_comes_back_as_it_was_saved(void **state)
{
    (void)state;
    dl_config config = small_config();
    config.training.learning_rate = 0.1 + 0.2; /* a number that short decimals would change */
    dl_model *model = dl_model_create(&config), *back;
    assert_true(dl_model_set_card(model, "{\"seconds\": 5}"));
    dl_file file = model_bytes(model);
    dl_error err;
    if (dl_model_parse("model", file.data, file.size, &back, &err) != DIFFLNS_OK) fail_msg("%s", err.message);
    assert_memory_equal(model->parameters, back->parameters, sizeof(real) * dl_denoiser_parameters(model->net));
    assert_true(back->config.training.learning_rate == config.training.learning_rate);
    assert_string_equal(back->card, "{\"seconds\": 5}");
    dl_file_free(&file);
    dl_model_free(model);
    dl_model_free(back);
}

static void a_damaged_model_is_refused_or_read_but_never_crashes(void **state)
{
    (void)state;
    dl_config config = small_config();
    dl_model *model = dl_model_create(&config), *back;
    dl_file file = model_bytes(model);
    uint64_t header = 0;
    memcpy(&header, file.data, sizeof header);
    char *bytes = dl_malloc(file.size);
    dl_error err;
    int refused = 0;
    for (uint64_t round = 0; round < 3000; round++) {
        dl_rng rng = dl_rng_stream(round, DL_PURPOSE('f', 'l', 'i', 'p'), 0);
        memcpy(bytes, file.data, file.size);
        for (int flips = 1 + (int)dl_rng_below(&rng, 3); flips > 0; flips--)
            bytes[dl_rng_below(&rng, (uint32_t)header + 8)] = (char)dl_rng_below(&rng, 256);
        size_t size = round % 4 ? file.size : dl_rng_below(&rng, (uint32_t)file.size);
        if (dl_model_parse("model", bytes, size, &back, &err) == DIFFLNS_OK)
            dl_model_free(back);
        else {
            assert_null(back);
            refused++;
        }
    }
    assert_in_range(refused, 750, 3000); /* at least every file cut short */
    free(bytes);
    dl_file_free(&file);
    dl_model_free(model);
}

static void a_configuration_the_weights_do_not_fit_is_refused(void **state)
{
    (void)state;
    dl_config config = small_config();
    dl_model *model = dl_model_create(&config), *back;
    model->config.network.layers = 64; /* the file now claims a network of gigabytes */
    model->config.network.feed_forward = 8192;
    dl_file file = model_bytes(model);
    dl_error err;
    assert_int_equal(dl_model_parse("model", file.data, file.size, &back, &err), DIFFLNS_BAD_INPUT);
    assert_non_null(strstr(err.message, "expected"));
    dl_file_free(&file);
    dl_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_comes_back_as_it_was_saved),
        cmocka_unit_test(a_damaged_model_is_refused_or_read_but_never_crashes),
        cmocka_unit_test(a_configuration_the_weights_do_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

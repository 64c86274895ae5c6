#include "support.h"

#include <unistd.h>

#include "base/file.h"
#include "nn/safetensors.h"

static const float WEIGHTS[6] = {1.5f, -2, 3e-30f, 4, 5, 6}, BIAS[2] = {7, 8};

/* A small file's bytes; free with dl_file_free. */
static dl_file sample_bytes(void)
{
    char path[] = "/tmp/difflns_safetensors_XXXXXX";
    close(mkstemp(path));
    dl_named_tensor tensors[] = {
        {"layer.weight", 2, {3, 2}, WEIGHTS}, {"layer.bias", 1, {2}, BIAS}, {"none", 1, {0}, BIAS}};
    dl_metadata_entry metadata[] = {{"config", "{\"width\": 64, \"note\": \"\xc3\xa4\"}"}, {"card", ""}};
    dl_tensor_file file = {.tensors = 3, .tensor = tensors, .entries = 2, .metadata = metadata};
    dl_error err;
    assert_int_equal(dl_tensor_file_write(path, &file, &err), DIFFLNS_OK);
    dl_file bytes;
    assert_int_equal(dl_file_read(path, &bytes, &err), DIFFLNS_OK);
    unlink(path);
    return bytes;
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    dl_file bytes = sample_bytes();
    dl_tensor_file file;
    dl_error err;
    assert_int_equal(dl_tensor_file_parse("sample", bytes.data, bytes.size, &file, &err), DIFFLNS_OK);
    assert_int_equal(file.tensors, 3);
    const dl_named_tensor *weight = dl_tensor_file_find(&file, "layer.weight");
    assert_non_null(weight);
    assert_int_equal(weight->rank, 2);
    assert_int_equal(weight->shape[0], 3);
    assert_int_equal(dl_tensor_count(weight), 6);
    assert_memory_equal(weight->data, WEIGHTS, sizeof WEIGHTS);
    assert_memory_equal(dl_tensor_file_find(&file, "layer.bias")->data, BIAS, sizeof BIAS);
    assert_string_equal(dl_tensor_file_metadata(&file, "config"), "{\"width\": 64, \"note\": \"\xc3\xa4\"}");
    assert_null(dl_tensor_file_find(&file, "other"));
    assert_null(dl_tensor_file_metadata(&file, "other"));
    dl_tensor_file_free(&file);
    dl_file_free(&bytes);
}

static void every_truncation_is_refused(void **state)
{
    (void)state;
    dl_file bytes = sample_bytes();
    for (size_t size = 0; size < bytes.size; size++) {
        dl_tensor_file file;
        dl_error err;
        assert_int_equal(dl_tensor_file_parse("short", bytes.data, size, &file, &err), DIFFLNS_BAD_INPUT);
        assert_null(file.tensor);
    }
    dl_file_free(&bytes);
}

static void no_flipped_byte_crashes(void **state)
{
    (void)state;
    dl_file bytes = sample_bytes();
    for (size_t at = 0; at < bytes.size; at++)
        for (int bit = 0; bit < 8; bit++) {
            bytes.data[at] ^= (char)(1 << bit);
            dl_tensor_file file;
            dl_error err;
            if (dl_tensor_file_parse("flipped", bytes.data, bytes.size, &file, &err) == DIFFLNS_OK) {
                volatile double sum = 0; /* reading everything is the test: the sanitizer watches */
                for (int i = 0; i < file.tensors; i++)
                    for (size_t k = 0; k < dl_tensor_count(&file.tensor[i]); k++) {
                        float value;
                        memcpy(&value, (const char *)file.tensor[i].data + sizeof value * k, sizeof value);
                        sum += value;
                    }
                (void)sum;
                dl_tensor_file_free(&file);
            }
            bytes.data[at] ^= (char)(1 << bit);
        }
    dl_file_free(&bytes);
}

/* Parses a file made of this header and `size` zero bytes of data. */
static dl_status parse_header(const char *header, size_t size, dl_error *err)
{
    size_t length = strlen(header);
    char *bytes = calloc(1, 8 + length + size);
    for (int i = 0; i < 8; i++) bytes[i] = (char)(length >> 8 * i);
    memcpy(bytes + 8, header, length);
    dl_tensor_file file;
    dl_status status = dl_tensor_file_parse("hostile", bytes, 8 + length + size, &file, err);
    if (status == DIFFLNS_OK) dl_tensor_file_free(&file);
    free(bytes);
    return status;
}

static void hostile_headers_are_refused(void **state)
{
    (void)state;
    static const char *const headers[] = {
        "",
        "[]",
        "7",
        "{",
        "{\"a\": 1}",
        "{\"a\": {}}",
        "{\"__metadata__\": {\"a\": 1}}",
        "{\"__metadata__\": []}",
        "{\"a\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[-8,0]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[2.0],\"data_offsets\":[0,8]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296,4],\"data_offsets\":[0,8]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,2],\"data_offsets\":[0,8]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
        "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
        "\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
    };
    dl_error err;
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        if (parse_header(headers[i], 8, &err) != DIFFLNS_BAD_INPUT) fail_msg("accepted %s", headers[i]);
        assert_non_null(strstr(err.message, "hostile"));
    }
    assert_int_equal(parse_header("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8, &err),
                     DIFFLNS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(no_flipped_byte_crashes),
        cmocka_unit_test(hostile_headers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

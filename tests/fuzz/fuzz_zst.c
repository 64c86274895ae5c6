/* Decompression: anything is decoded or refused. */
#include "base/file.h"
#include "fuzz.h"

const bool FUZZ_WITHOUT_MEMORY = true;

void fuzz_one(const uint8_t *data, size_t size)
{
    dl_file file;
    dl_error err;
    if (dl_file_decode("fuzz", data, size, &file, &err) != DIFFLNS_OK) return;
    MUST(file.data[file.size] == 0);
    dl_file_free(&file);
}

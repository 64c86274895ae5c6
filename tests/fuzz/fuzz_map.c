/* MovingAI maps: a map that is read is written and read back the same. */
#include <string.h>

#include "formats/movingai.h"
#include "fuzz.h"

const bool FUZZ_WITHOUT_MEMORY = true;

void fuzz_one(const uint8_t *data, size_t size)
{
    dl_grid *grid, *again;
    dl_error err;
    if (dl_movingai_read_map("fuzz", (const char *)data, size, &grid, &err) != DIFFLNS_OK) return;
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream) dl_movingai_write_map(stream, grid);
    bool failed = !stream || ferror(stream);
    bool written = stream && fclose(stream) == 0 && !failed && text; /* libc has no other word for it */
    MUST(written || fuzz_starved());
    if (!written || dl_movingai_read_map("again", text, length, &again, &err) != DIFFLNS_OK) {
        MUST(fuzz_starved());
        free(text);
        dl_grid_free(grid);
        return;
    }
    MUST(grid->height == again->height && grid->width == again->width);
    MUST(memcmp(grid->blocked, again->blocked, (size_t)grid->height * (size_t)grid->width) == 0);
    free(text);
    dl_grid_free(grid);
    dl_grid_free(again);
}

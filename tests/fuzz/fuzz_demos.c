/* The content of a demonstration, behind its checksum: what unpacks has passed the checker and packs to the same. The
 * first three bytes are what the header says: agents, sum of costs, makespan. */
#include <string.h>
#include <zstd.h>

#include "diffusion/demo_record.h"
#include "fuzz.h"

enum { HEAD = 3 };

const bool FUZZ_WITHOUT_MEMORY = false;

void fuzz_one(const uint8_t *data, size_t size)
{
    if (size < HEAD) return;
    size_t room = ZSTD_compressBound(size);
    void *frame = malloc(room);
    dl_demo_header header = {.raw = (uint32_t)(size - HEAD),
                             .about = {.agents = data[0], .soc = data[1], .makespan = data[2], .family = "fuzz"}};
    header.size = (uint32_t)ZSTD_compress(frame, room, data + HEAD, size - HEAD, 1);
    dl_demo demo, twin;
    dl_error err;
    if (dl_demo_unpack(&header, frame, "fuzz", 0, &demo, &err) == DIFFLNS_OK) {
        dl_demo_record record = dl_demo_pack(&demo);
        dl_demo_header again;
        memcpy(&again, record.bytes, sizeof again);
        const char *packed = (char *)record.bytes + sizeof again;
        MUST(dl_demo_record_intact(&again, packed));
        MUST(dl_demo_unpack(&again, packed, "twin", 0, &twin, &err) == DIFFLNS_OK);
        MUST(dl_plan_soc(twin.plan) == header.about.soc);
        dl_demo_record_release(&record);
        dl_demo_release(&twin);
        dl_demo_release(&demo);
    } else {
        MUST(err.status == DIFFLNS_BAD_INPUT);
    }
    free(frame);
}

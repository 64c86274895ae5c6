/* One demonstration as bytes; private to the demonstration file. */
#ifndef DL_DIFFUSION_DEMO_RECORD_H
#define DL_DIFFUSION_DEMO_RECORD_H

#include "diffusion/demos.h"

enum { DL_DEMO_SOLVED = 0, DL_DEMO_UNSOLVED = 1 };

/* In the file as it is in memory: little-endian, no holes. */
typedef struct dl_demo_header {
    uint32_t magic;
    uint32_t size;  /* of the zstd frame after the header */
    uint64_t check; /* over header (this field 0) and frame */
    uint32_t raw;   /* size of the frame's content */
    uint32_t outcome;
    dl_demo_summary about;
} dl_demo_header;

_Static_assert(sizeof(dl_demo_header) == 96, "the header is part of the file format");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "demonstration files are little-endian");

uint64_t dl_demo_checksum(uint64_t seed, const void *bytes, size_t size);
/* What is wrong with the header, or NULL. */
const char *dl_demo_header_fault(const dl_demo_header *header);
/* Does the checksum fit header and frame? */
bool dl_demo_record_intact(const dl_demo_header *header, const void *frame);
/* Unpacks and checks; `name` and `index` are for the message. */
dl_status dl_demo_unpack(const dl_demo_header *header, const void *frame, const char *name, int64_t index, dl_demo *out,
                         dl_error *err);

#endif

/* The colors of agents, shared by the page and the pictures. For tools. */
#ifndef DL_PAGE_PALETTE_H
#define DL_PAGE_PALETTE_H

#include <stdint.h>

/* Agent i has color i mod DL_PALETTE. */
enum { DL_PALETTE = 48 };

typedef struct dl_color {
    uint8_t red, green, blue;
} dl_color;

dl_color dl_palette_color(int agent);

#endif

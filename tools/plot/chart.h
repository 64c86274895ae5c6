/* Charts: lines with interval bands and grouped bars, several panels under one legend. Drawn with cairo, as SVG for
 * pages and as SVG, PNG or PDF files. Without cairo at build time there are none. */
#ifndef DL_PLOT_CHART_H
#define DL_PLOT_CHART_H

#include <stdbool.h>

#include "base/status.h"
#include "base/text.h"
#include "page/palette.h"

/* The same numbers of points in each array; NaN = nothing there. */
typedef struct dl_series {
    const char *name;
    dl_color color;
    bool faint; /* thin and dashed, without band: somebody else's figures */
    bool steps; /* a staircase: y holds from its x on */
    int count;
    const double *x, *y; /* bars: x is the number of the category */
    const double *low, *high;
    int marker; /* the shape of its points: DL_MARKERS of them */
} dl_series;

/* So many series can be told apart by their points alone. */
enum { DL_MARKERS = 12 };
/* ... and by their colors, by color-blind eyes, too, as far as twelve colors can be. */
dl_color dl_series_color(int number);

typedef struct dl_panel {
    const char *title, *x_label;
    bool bars;
    const char *const *category; /* [categories], bars: their labels; '\n' breaks the line */
    int categories;
    bool log_x, log_y;
    bool percent; /* values are shares: the axis goes from 0 to 100% */
    bool zero;    /* the axis begins at 0 */
    const dl_series *series;
    int count;
} dl_panel;

typedef struct dl_figure {
    const char *title; /* drawn above, may be NULL */
    const dl_panel *panel;
    int panels;
    int columns; /* panels in a row */
} dl_figure;

typedef enum dl_theme { DL_THEME_LIGHT, DL_THEME_DARK } dl_theme;

/* True if this build draws charts; otherwise the functions below fail. */
bool dl_chart_available(void);
/* The figure as an SVG document; its width and height in pixels. */
dl_status dl_chart_svg(const dl_figure *figure, dl_theme theme, dl_text *svg, int *width, int *height, dl_error *err);
/* A file, light, by its name's end: .svg, .png or .pdf. */
dl_status dl_chart_write(const dl_figure *figure, const char *path, dl_error *err);

#endif

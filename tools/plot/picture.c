#include "plot/picture.h"

#include <string.h>

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

bool dl_picture_named(const char *path)
{
    return ends_in(path, ".png") || ends_in(path, ".svg");
}

#ifdef DIFFLNS_HAVE_CAIRO

#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/output.h"
#include "memory/need.h"
#include "page/palette.h"

/* The longer side aims at this many pixels, within these bounds for one cell. */
enum { PICTURE_SIDE = 1200, LEAST_CELL = 2, MOST_CELL = 40 };

/* The light colors of the page. */
static const dl_color FLOOR = {0xff, 0xff, 0xff}, WALL = {0x4a, 0x51, 0x60}, GRID_LINE = {0xec, 0xee, 0xf2},
                      EDGE = {0xd5, 0xd9, 0xe0}, DANGER = {0xdc, 0x2f, 0x3c};

typedef struct picture {
    const dl_instance *instance;
    const dl_plan *plan;
    int time;
    cairo_t *cairo; /* scaled so that a cell has side 1 */
} picture;

static void use_color(cairo_t *cairo, dl_color c, double alpha)
{
    cairo_set_source_rgba(cairo, c.red / 255.0, c.green / 255.0, c.blue / 255.0, alpha);
}

static void rounded_square(cairo_t *cairo, difflns_cell cell, double inset)
{
    double x0 = cell.col + inset, y0 = cell.row + inset, x1 = cell.col + 1 - inset, y1 = cell.row + 1 - inset, r = 0.16;
    cairo_new_sub_path(cairo);
    cairo_arc(cairo, x1 - r, y0 + r, r, -M_PI / 2, 0);
    cairo_arc(cairo, x1 - r, y1 - r, r, 0, M_PI / 2);
    cairo_arc(cairo, x0 + r, y1 - r, r, M_PI / 2, M_PI);
    cairo_arc(cairo, x0 + r, y0 + r, r, M_PI, 3 * M_PI / 2);
    cairo_close_path(cairo);
}

static void draw_map(const picture *p)
{
    const dl_grid *grid = p->instance->grid;
    use_color(p->cairo, FLOOR, 1);
    cairo_paint(p->cairo);
    use_color(p->cairo, GRID_LINE, 1);
    cairo_set_line_width(p->cairo, 0.04);
    for (int row = 1; row < grid->height; row++)
        cairo_move_to(p->cairo, 0, row), cairo_line_to(p->cairo, grid->width, row);
    for (int col = 1; col < grid->width; col++)
        cairo_move_to(p->cairo, col, 0), cairo_line_to(p->cairo, col, grid->height);
    cairo_stroke(p->cairo);
    /* Runs of obstacles in a row are one rectangle: fewer edges, and no seams between neighbors. */
    use_color(p->cairo, WALL, 1);
    for (int row = 0; row < grid->height; row++)
        for (int col = 0; col < grid->width; col++) {
            int end = col;
            while (end < grid->width && grid->blocked[row * grid->width + end]) end++;
            if (end > col) cairo_rectangle(p->cairo, col, row, end - col, 1);
            col = end;
        }
    cairo_fill(p->cairo);
    use_color(p->cairo, EDGE, 1);
    cairo_set_line_width(p->cairo, 0.08);
    cairo_rectangle(p->cairo, 0, 0, grid->width, grid->height);
    cairo_stroke(p->cairo);
}

static void draw_agents(const picture *p)
{
    for (int agent = 0; agent < p->plan->agents; agent++) {
        use_color(p->cairo, dl_palette_color(agent), 0.3);
        rounded_square(p->cairo, dl_grid_position(p->instance->grid, p->instance->goal[agent]), 0.14);
        cairo_fill(p->cairo);
    }
    for (int agent = 0; agent < p->plan->agents; agent++) {
        difflns_cell at = dl_path_at(&p->plan->path[agent], p->time);
        use_color(p->cairo, dl_palette_color(agent), 1);
        if (dl_grid_cell(p->instance->grid, at.row, at.col) == p->instance->goal[agent])
            rounded_square(p->cairo, at, 0.12);
        else
            cairo_arc(p->cairo, at.col + 0.5, at.row + 0.5, 0.38, 0, 2 * M_PI);
        cairo_fill(p->cairo);
    }
}

/* A red ring on every cell with more than one agent. */
static void draw_conflicts(const picture *p)
{
    const dl_grid *grid = p->instance->grid;
    uint8_t *taken = needed(DL_ARRAY(uint8_t, (size_t)grid->height * (size_t)grid->width));
    use_color(p->cairo, DANGER, 1);
    cairo_set_line_width(p->cairo, 0.1);
    for (int agent = 0; agent < p->plan->agents; agent++) {
        difflns_cell at = dl_path_at(&p->plan->path[agent], p->time);
        if (!dl_grid_inside(grid, at.row, at.col) || taken[at.row * grid->width + at.col]++ != 1) continue;
        cairo_new_sub_path(p->cairo);
        cairo_arc(p->cairo, at.col + 0.5, at.row + 0.5, 0.56, 0, 2 * M_PI);
    }
    cairo_stroke(p->cairo);
    free(taken);
}

static cairo_status_t write_bytes(void *stream, const unsigned char *bytes, unsigned length)
{
    return fwrite(bytes, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

dl_status dl_picture_write(const dl_instance *instance, const dl_plan *plan, int time, const char *path, dl_error *err)
{
    const dl_grid *grid = instance->grid;
    if (plan->agents != instance->agents)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: plan of %d agents for an instance of %d", path, plan->agents,
                       instance->agents);
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    int side = grid->height > grid->width ? grid->height : grid->width;
    double cell = fmin(MOST_CELL, fmax(LEAST_CELL, floor((double)PICTURE_SIDE / side)));
    bool is_svg = ends_in(path, ".svg");
    cairo_surface_t *surface =
        is_svg ? cairo_svg_surface_create_for_stream(write_bytes, out.stream, grid->width * cell, grid->height * cell)
               : cairo_image_surface_create(CAIRO_FORMAT_RGB24, grid->width * (int)cell, grid->height * (int)cell);
    picture p = {instance, plan, time, cairo_create(surface)};
    cairo_scale(p.cairo, cell, cell);
    draw_map(&p);
    draw_agents(&p);
    draw_conflicts(&p);
    cairo_status_t drawn = cairo_status(p.cairo);
    cairo_destroy(p.cairo);
    if (drawn == CAIRO_STATUS_SUCCESS && !is_svg)
        drawn = cairo_surface_write_to_png_stream(surface, write_bytes, out.stream);
    cairo_surface_finish(surface);
    if (drawn == CAIRO_STATUS_SUCCESS) drawn = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (drawn != CAIRO_STATUS_SUCCESS) {
        dl_output_discard(&out);
        return dl_fail(err, DIFFLNS_IO, "%s: cannot draw: %s", path, cairo_status_to_string(drawn));
    }
    return dl_output_commit(&out, err);
}

#else

dl_status dl_picture_write(const dl_instance *instance, const dl_plan *plan, int time, const char *path, dl_error *err)
{
    (void)instance, (void)plan, (void)time;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: this build has no cairo and writes no pictures; pages (.html) work",
                   path);
}

#endif

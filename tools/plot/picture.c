#include "plot/picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "memory/need.h"
#include "page/palette.h"

/* The longer side aims at this many pixels, within these bounds for one cell. */
enum { PICTURE_SIDE = 1200, LEAST_CELL = 2, MOST_CELL = 40 };

bool dl_picture_named(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".svg") == 0;
}

static void draw_map(const dl_grid *grid, FILE *stream)
{
    fprintf(stream,
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n<path stroke=\"#eceef2\" stroke-width=\".04\" d=\"",
            grid->width, grid->height);
    for (int row = 1; row < grid->height; row++) fprintf(stream, "M0 %dh%d", row, grid->width);
    for (int col = 1; col < grid->width; col++) fprintf(stream, "M%d 0v%d", col, grid->height);
    /* Runs of obstacles in a row are one rectangle: fewer edges, and no seams between neighbors. */
    fputs("\"/>\n<path fill=\"#4a5160\" d=\"", stream);
    for (int row = 0; row < grid->height; row++)
        for (int col = 0; col < grid->width; col++) {
            int end = col;
            while (end < grid->width && grid->blocked[row * grid->width + end]) end++;
            if (end > col) fprintf(stream, "M%d %dh%dv1h-%dz", col, row, end - col, end - col);
            col = end;
        }
    fprintf(stream, "\"/>\n<rect width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#d5d9e0\" stroke-width=\".08\"/>\n",
            grid->width, grid->height);
}

static void draw_square(FILE *stream, difflns_cell cell, double inset, int agent, double opacity)
{
    dl_color c = dl_palette_color(agent);
    fprintf(stream,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" rx=\".16\" fill=\"#%02x%02x%02x\" "
            "opacity=\"%g\"/>\n",
            cell.col + inset, cell.row + inset, 1 - 2 * inset, 1 - 2 * inset, c.red, c.green, c.blue, opacity);
}

static void draw_agents(const dl_instance *instance, const dl_plan *plan, int time, FILE *stream)
{
    const dl_grid *grid = instance->grid;
    for (int agent = 0; agent < plan->agents; agent++)
        draw_square(stream, dl_grid_position(grid, instance->goal[agent]), 0.14, agent, 0.3);
    for (int agent = 0; agent < plan->agents; agent++) {
        difflns_cell at = dl_path_at(&plan->path[agent], time);
        dl_color c = dl_palette_color(agent);
        if (dl_grid_cell(grid, at.row, at.col) == instance->goal[agent])
            draw_square(stream, at, 0.12, agent, 1);
        else
            fprintf(stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\".38\" fill=\"#%02x%02x%02x\"/>\n", at.col + 0.5,
                    at.row + 0.5, c.red, c.green, c.blue);
    }
}

/* A red ring on every cell with more than one agent. */
static void draw_conflicts(const dl_grid *grid, const dl_plan *plan, int time, FILE *stream)
{
    uint8_t *taken = needed(DL_ARRAY(uint8_t, (size_t)grid->height * (size_t)grid->width));
    for (int agent = 0; agent < plan->agents; agent++) {
        difflns_cell at = dl_path_at(&plan->path[agent], time);
        if (!dl_grid_inside(grid, at.row, at.col) || taken[at.row * grid->width + at.col] == 2) continue;
        if (++taken[at.row * grid->width + at.col] != 2) continue;
        fprintf(stream,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\".56\" fill=\"none\" stroke=\"#dc2f3c\" stroke-width=\".1\"/>\n",
                at.col + 0.5, at.row + 0.5);
    }
    free(taken);
}

dl_status dl_picture_write(const dl_instance *instance, const dl_plan *plan, int time, const char *path, dl_error *err)
{
    const dl_grid *grid = instance->grid;
    if (plan->agents != instance->agents)
        return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: plan of %d agents for an instance of %d", path, plan->agents,
                       instance->agents);
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    int side = grid->height > grid->width ? grid->height : grid->width, cell = PICTURE_SIDE / side;
    cell = cell < LEAST_CELL ? LEAST_CELL : cell > MOST_CELL ? MOST_CELL : cell;
    fprintf(out.stream,
            "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\">\n",
            grid->width * cell, grid->height * cell, grid->width, grid->height);
    draw_map(grid, out.stream);
    draw_agents(instance, plan, time, out.stream);
    draw_conflicts(grid, plan, time, out.stream);
    fputs("</svg>\n", out.stream);
    return dl_output_commit(&out, err);
}

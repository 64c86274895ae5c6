#include "plot/loss_plot.h"

#include <math.h>
#include <stddef.h>

#include "base/output.h"
#include "plot/ticks.h"

enum { WIDTH = 720, PANEL = 240, LEFT = 64, RIGHT = 16, TOP = 30, BOTTOM = 34 };

typedef struct panel {
    FILE *stream;
    int top; /* of the drawing area */
    double last_epoch, low, high;
} panel;

typedef struct curve {
    const char *name, *color;
    size_t value; /* offset in dl_loss_point */
} curve;

static double value_of(const dl_loss_point *point, const curve *line)
{
    return *(const double *)(const void *)((const char *)point + line->value);
}

static double x_at(const panel *p, double epoch)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (p->last_epoch > 1 ? (epoch - 1) / (p->last_epoch - 1) : 0.5);
}

static double y_at(const panel *p, double value)
{
    return p->top + (PANEL - TOP - BOTTOM) * (p->high - value) / (p->high - p->low);
}

static void draw_curve(const panel *p, const curve *line, const dl_loss_point *points, int count)
{
    fprintf(p->stream, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" points=\"", line->color);
    for (int i = 0; i < count; i++)
        if (value_of(&points[i], line) >= 0)
            fprintf(p->stream, "%.1f,%.1f ", x_at(p, points[i].epoch), y_at(p, value_of(&points[i], line)));
    fprintf(p->stream, "\"/>\n");
}

static void draw_axes(const panel *p, const char *title)
{
    fprintf(p->stream, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>\n", LEFT, p->top - 12, title);
    double step = dl_round_step((p->high - p->low) / 4);
    int last_line = (int)floor(p->high / step + 1e-6); /* a line at the very top counts */
    for (int line = (int)ceil(p->low / step); line <= last_line; line++) {
        double v = line * step;
        fprintf(p->stream,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">%g</text>\n",
                LEFT, WIDTH - RIGHT, y_at(p, v), y_at(p, v), LEFT - 6, y_at(p, v) + 4, v);
    }
    int stride = (int)fmax(1, dl_round_step(p->last_epoch / 8));
    for (int e = 1; e <= (int)p->last_epoch; e += stride)
        fprintf(p->stream, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", x_at(p, e),
                p->top + PANEL - TOP - BOTTOM + 16, e);
}

static void draw_panel(FILE *stream, int index, const char *title, const curve *curves, int curve_count,
                       const dl_loss_point *points, int count)
{
    panel p = {.stream = stream, .top = index * PANEL + TOP, .low = INFINITY, .high = -INFINITY};
    for (int i = 0; i < count; i++) {
        p.last_epoch = fmax(p.last_epoch, points[i].epoch);
        for (int c = 0; c < curve_count; c++) {
            double value = value_of(&points[i], &curves[c]);
            if (value < 0 || !isfinite(value)) continue;
            p.low = fmin(p.low, value);
            p.high = fmax(p.high, value);
        }
    }
    if (!isfinite(p.low)) return;
    double margin = fmax(0.05 * (p.high - p.low), 1e-3);
    p.low -= margin;
    p.high += margin;
    draw_axes(&p, title);
    for (int c = 0; c < curve_count; c++) {
        draw_curve(&p, &curves[c], points, count);
        fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"%s\">%s</text>\n", WIDTH - RIGHT,
                p.top + 12 + 14 * c, curves[c].color, curves[c].name);
    }
}

dl_status dl_loss_plot_write(const char *path, const dl_loss_point *points, int count, dl_error *err)
{
    static const curve loss[] = {{"loss", "#1b6ca8", offsetof(dl_loss_point, loss)}};
    static const curve pairs[] = {{"drafts", "#c0392b", offsetof(dl_loss_point, pairs)},
                                  {"prioritized planning", "#7f8c8d", offsetof(dl_loss_point, prioritized_pairs)}};
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    fprintf(out.stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, 2 * PANEL);
    draw_panel(out.stream, 0, "training loss by epoch", loss, 1, points, count);
    draw_panel(out.stream, 1, "colliding pairs per agent, held-out instances", pairs, 2, points, count);
    fprintf(out.stream, "</svg>\n");
    return dl_output_commit(&out, err);
}

#include "plot/chart.h"

#include <string.h>

#include "base/output.h"
#include "memory/need.h"
#include "plot/ticks.h"

bool dl_chart_available(void)
{
#ifdef DIFFLNS_HAVE_CAIRO
    return true;
#else
    return false;
#endif
}

dl_color dl_series_color(int number)
{
    static const dl_color COLOR[DL_MARKERS] = {{0, 114, 178},  {230, 145, 0},   {0, 158, 115},   {204, 60, 60},
                                               {170, 85, 170}, {140, 100, 60},  {86, 180, 233},  {200, 170, 0},
                                               {60, 60, 140},  {230, 120, 180}, {130, 130, 130}, {110, 150, 40}};
    return COLOR[number % DL_MARKERS];
}

#ifdef DIFFLNS_HAVE_CAIRO

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>

/* Pixels. A panel holds its own title, axis labels and ticks. */
enum {
    PANEL_WIDTH = 350,
    PANEL_HEIGHT = 260,
    LEFT = 52,
    RIGHT = 12,
    TOP = 34,
    BOTTOM = 44,
    TITLE = 30, /* of the figure */
    LEGEND_ROW = 20,
    LEGEND_GAP = 22,
    LINE = 13,          /* of text */
    BAR_LABEL_LINES = 3 /* what labels of bars may need below the axis */
};
static const double FONT = 11;
static const double PNG_SCALE = 2; /* sharp on dense screens */

typedef struct scheme {
    dl_color paper, ink, faded, rule;
} scheme;

static const scheme COLORS[] = {
    [DL_THEME_LIGHT] = {{255, 255, 255}, {31, 35, 40}, {101, 109, 118}, {228, 231, 235}},
    [DL_THEME_DARK] = {{22, 27, 34}, {230, 237, 243}, {145, 152, 161}, {48, 54, 61}},
};

/* One panel while it is drawn: data to pixels. */
typedef struct frame {
    cairo_t *cairo;
    const scheme *colors;
    const dl_panel *panel;
    double left, right, top, bottom;     /* of the drawing area */
    double x_low, x_high, y_low, y_high; /* of the data, logarithms where the axis is one */
} frame;

/* ---- text and color ---- */

static void use(cairo_t *cairo, dl_color color, double alpha)
{
    cairo_set_source_rgba(cairo, color.red / 255.0, color.green / 255.0, color.blue / 255.0, alpha);
}

static double text_width(cairo_t *cairo, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    return extents.x_advance;
}

/* `anchor` is 0 for text that begins at x, 0.5 for centered, 1 for text that ends there. */
static void draw_text(cairo_t *cairo, double x, double y, double anchor, const char *text)
{
    cairo_move_to(cairo, x - anchor * text_width(cairo, text), y);
    cairo_show_text(cairo, text);
}

static void set_font(cairo_t *cairo, double size, bool bold)
{
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
}

static void number_text(const dl_panel *panel, bool vertical, double value, char text[32])
{
    if (vertical && panel->percent)
        snprintf(text, 32, "%.0f%%", value * 100);
    else if (fabs(value) >= 10000)
        snprintf(text, 32, "%gk", value / 1000);
    else
        snprintf(text, 32, "%g", value);
}

/* ---- axes ---- */

static double x_pixel(const frame *f, double x)
{
    double value = f->panel->log_x ? log10(x) : x;
    return f->left + (f->right - f->left) * (value - f->x_low) / (f->x_high - f->x_low);
}

static double y_pixel(const frame *f, double y)
{
    double value = f->panel->log_y ? log10(y) : y;
    return f->bottom - (f->bottom - f->top) * (value - f->y_low) / (f->y_high - f->y_low);
}

static bool shown(const dl_panel *panel, const dl_series *s, int i)
{
    return isfinite(s->x[i]) && isfinite(s->y[i]) && (!panel->log_x || s->x[i] > 0) && (!panel->log_y || s->y[i] > 0);
}

static void widen(double value, double *low, double *high)
{
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

/* Intervals may be far wider than what they surround; they stretch the axis by this share of it at most. */
static const double INTERVAL_SHARE = 0.4;

static void fit_vertical(frame *f)
{
    const dl_panel *panel = f->panel;
    double low = INFINITY, high = -INFINITY;
    for (int s = 0; s < panel->count; s++)
        for (int i = 0; i < panel->series[s].count; i++) {
            if (!shown(panel, &panel->series[s], i)) continue;
            double y = panel->series[s].y[i];
            widen(panel->log_y ? log10(y) : y, &low, &high);
        }
    if (panel->percent || !isfinite(low)) {
        f->y_low = 0;
        f->y_high = 1.04;
        return;
    }
    double range = high > low ? high - low : fmax(1e-9, panel->log_y ? 1 : fabs(high));
    bool positive = low >= 0 && !panel->log_y;
    double least = low - INTERVAL_SHARE * range, most = high + INTERVAL_SHARE * range;
    for (int s = 0; s < panel->count; s++)
        for (int i = 0; i < panel->series[s].count && panel->series[s].low; i++) {
            const dl_series *series = &panel->series[s];
            if (!shown(panel, series, i) || panel->log_y || series->faint) continue;
            if (isfinite(series->low[i])) low = fmin(low, fmax(least, series->low[i]));
            if (isfinite(series->high[i])) high = fmax(high, fmin(most, series->high[i]));
        }
    f->y_low = low - 0.08 * range;
    f->y_high = high + 0.08 * range;
    if (panel->zero || panel->bars || (positive && f->y_low < 0)) f->y_low = 0;
}

static void fit_horizontal(frame *f)
{
    const dl_panel *panel = f->panel;
    if (panel->bars) {
        f->x_low = -0.5;
        f->x_high = panel->categories - 0.5;
        return;
    }
    double low = INFINITY, high = -INFINITY;
    for (int s = 0; s < panel->count; s++)
        for (int i = 0; i < panel->series[s].count; i++)
            if (shown(panel, &panel->series[s], i)) {
                double x = panel->series[s].x[i];
                widen(panel->log_x ? log10(x) : x, &low, &high);
            }
    if (!isfinite(low)) low = high = 0;
    double margin = high > low ? 0.05 * (high - low) : 1;
    f->x_low = low - margin;
    f->x_high = high + margin;
}

static void rule(const frame *f, double x0, double y0, double x1, double y1)
{
    cairo_move_to(f->cairo, x0, y0);
    cairo_line_to(f->cairo, x1, y1);
    cairo_stroke(f->cairo);
}

static void draw_vertical_axis(const frame *f)
{
    dl_ticks t = f->panel->log_y ? dl_ticks_logarithmic(f->y_low, f->y_high) : dl_ticks_linear(f->y_low, f->y_high, 5);
    cairo_set_line_width(f->cairo, 1);
    for (int i = 0; i < t.count; i++) {
        double y = floor(y_pixel(f, t.at[i])) + 0.5;
        char text[32];
        use(f->cairo, f->colors->rule, 1);
        rule(f, f->left, y, f->right, y);
        use(f->cairo, f->colors->faded, 1);
        number_text(f->panel, true, t.at[i], text);
        draw_text(f->cairo, f->left - 6, y + 4, 1, text);
    }
}

/* The lines of a category's label, one below the other. */
static void draw_label(const frame *f, double x, const char *label)
{
    char line[64];
    for (int row = 0; row < BAR_LABEL_LINES && *label; row++) {
        size_t length = strcspn(label, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, label);
        draw_text(f->cairo, x, f->bottom + 15 + row * LINE, 0.5, line);
        label += length + (label[length] == '\n');
    }
}

/* With few values, ticks stand on them: numbers of agents are not round. */
static dl_ticks horizontal_ticks(const frame *f)
{
    const dl_panel *panel = f->panel;
    dl_ticks t = {.count = 0};
    if (panel->log_x) return dl_ticks_logarithmic(f->x_low, f->x_high);
    for (int s = 0; s < panel->count; s++)
        for (int i = 0; i < panel->series[s].count; i++) {
            bool there = !shown(panel, &panel->series[s], i);
            for (int k = 0; k < t.count; k++) there |= t.at[k] == panel->series[s].x[i];
            if (!there) dl_ticks_add(&t, panel->series[s].x[i]);
        }
    return t.count <= 8 ? t : dl_ticks_linear(f->x_low, f->x_high, 6);
}

static void draw_horizontal_axis(const frame *f)
{
    use(f->cairo, f->colors->faded, 1);
    if (f->panel->bars) {
        for (int i = 0; i < f->panel->categories; i++) draw_label(f, x_pixel(f, i), f->panel->category[i]);
    } else {
        dl_ticks t = horizontal_ticks(f);
        for (int i = 0; i < t.count; i++) {
            char text[32];
            number_text(f->panel, false, t.at[i], text);
            draw_text(f->cairo, x_pixel(f, t.at[i]), f->bottom + 15, 0.5, text);
        }
        if (f->panel->x_label)
            draw_text(f->cairo, (f->left + f->right) / 2, f->bottom + 15 + 1.5 * LINE, 0.5, f->panel->x_label);
    }
    cairo_set_line_width(f->cairo, 1);
    rule(f, f->left, floor(f->bottom) + 0.5, f->right, floor(f->bottom) + 0.5);
}

/* ---- series ---- */

static bool has_interval(const dl_series *s, int i)
{
    return s->low && s->high && isfinite(s->low[i]) && isfinite(s->high[i]);
}

/* Logarithms know no zero: what lies below the axis is drawn at its foot. */
static double y_clamped(const frame *f, double y)
{
    double least = f->panel->log_y ? pow(10, f->y_low) : f->y_low;
    return y_pixel(f, fmax(y, least));
}

static void draw_band(const frame *f, const dl_series *s)
{
    bool any = false;
    if (s->faint || s->steps) return;
    for (int i = 0; i < s->count; i++)
        if (shown(f->panel, s, i) && has_interval(s, i)) {
            cairo_line_to(f->cairo, x_pixel(f, s->x[i]), y_clamped(f, s->high[i]));
            any = true;
        }
    for (int i = s->count - 1; i >= 0; i--)
        if (shown(f->panel, s, i) && has_interval(s, i))
            cairo_line_to(f->cairo, x_pixel(f, s->x[i]), y_clamped(f, s->low[i]));
    if (!any) return;
    cairo_close_path(f->cairo);
    use(f->cairo, s->color, 0.11);
    cairo_fill(f->cairo);
}

static void set_dash(cairo_t *cairo, bool dashed)
{
    static const double DASH[] = {4, 3};
    cairo_set_dash(cairo, DASH, dashed ? 2 : 0, 0);
}

/* A point of the size of a circle of that radius: seven filled or crossed shapes, five hollow ones. */
static void draw_marker(cairo_t *cairo, int marker, double x, double y, double radius)
{
    enum { CIRCLE, SQUARE, UP, DIAMOND, DOWN, CROSS, PLUS, SHAPES };
    int shape = marker % DL_MARKERS;
    bool hollow = shape >= SHAPES;
    if (hollow) shape -= SHAPES;
    double r = shape == CIRCLE ? radius : shape == SQUARE ? 0.9 * radius : 1.25 * radius;
    cairo_new_path(cairo);
    switch (shape) {
    case CIRCLE:
        cairo_arc(cairo, x, y, r, 0, 2 * M_PI);
        break;
    case SQUARE:
        cairo_rectangle(cairo, x - r, y - r, 2 * r, 2 * r);
        break;
    case UP:
    case DOWN: {
        double tip = shape == UP ? -r : r;
        cairo_move_to(cairo, x, y + tip);
        cairo_line_to(cairo, x + r, y - 0.8 * tip);
        cairo_line_to(cairo, x - r, y - 0.8 * tip);
        cairo_close_path(cairo);
        break;
    }
    case DIAMOND:
        cairo_move_to(cairo, x, y - r);
        cairo_line_to(cairo, x + r, y);
        cairo_line_to(cairo, x, y + r);
        cairo_line_to(cairo, x - r, y);
        cairo_close_path(cairo);
        break;
    default: {
        double turn = shape == CROSS ? 0.8 * r : 0, straight = shape == CROSS ? 0.8 * r : r;
        cairo_move_to(cairo, x - straight, y - turn);
        cairo_line_to(cairo, x + straight, y + turn);
        cairo_move_to(cairo, x + turn, y - straight);
        cairo_line_to(cairo, x - turn, y + straight);
        hollow = true;
    }
    }
    if (!hollow) {
        cairo_fill(cairo);
        return;
    }
    cairo_set_line_width(cairo, fmax(1, 0.45 * radius));
    cairo_stroke(cairo);
}

static void draw_line(const frame *f, const dl_series *s)
{
    double before = 0;
    bool begun = false;
    use(f->cairo, s->color, s->faint ? 0.75 : 1);
    cairo_set_line_width(f->cairo, s->faint ? 1.1 : 2.2);
    set_dash(f->cairo, s->faint);
    for (int i = 0; i < s->count; i++) {
        if (!shown(f->panel, s, i)) continue;
        double x = x_pixel(f, s->x[i]), y = y_pixel(f, s->y[i]);
        if (s->steps && begun) cairo_line_to(f->cairo, x, before);
        cairo_line_to(f->cairo, x, y);
        before = y;
        begun = true;
    }
    cairo_stroke(f->cairo);
    set_dash(f->cairo, false);
    for (int i = 0; i < s->count && !s->steps; i++) {
        if (!shown(f->panel, s, i)) continue;
        draw_marker(f->cairo, s->marker, x_pixel(f, s->x[i]), y_pixel(f, s->y[i]), s->faint ? 2 : 3.4);
    }
}

/* An interval as an I. */
static void draw_whisker(const frame *f, double x, double low, double high)
{
    double top = y_clamped(f, high), bottom = y_clamped(f, low);
    use(f->cairo, f->colors->ink, 0.8);
    cairo_set_line_width(f->cairo, 1);
    rule(f, x, top, x, bottom);
    rule(f, x - 2.5, top, x + 2.5, top);
    rule(f, x - 2.5, bottom, x + 2.5, bottom);
}

static void draw_bars(const frame *f, const dl_series *s, int place)
{
    double slot = 0.8 / f->panel->count; /* the rest is the space between categories */
    for (int i = 0; i < s->count; i++) {
        if (!shown(f->panel, s, i)) continue;
        double x0 = x_pixel(f, s->x[i] - 0.4 + place * slot), x1 = x_pixel(f, s->x[i] - 0.4 + (place + 0.92) * slot);
        double y = y_clamped(f, s->y[i]);
        cairo_rectangle(f->cairo, x0, y, x1 - x0, f->bottom - y);
        use(f->cairo, s->color, s->faint ? 0.3 : 0.9);
        cairo_fill_preserve(f->cairo);
        use(f->cairo, s->color, s->faint ? 0.9 : 0);
        cairo_set_line_width(f->cairo, 1);
        cairo_stroke(f->cairo);
        if (has_interval(s, i)) draw_whisker(f, (x0 + x1) / 2, s->low[i], s->high[i]);
    }
}

static bool is_empty(const dl_panel *panel)
{
    for (int s = 0; s < panel->count; s++)
        for (int i = 0; i < panel->series[s].count; i++)
            if (shown(panel, &panel->series[s], i)) return false;
    return true;
}

static void draw_panel(cairo_t *cairo, const scheme *colors, const dl_panel *panel, double x, double y, double height)
{
    double below = panel->bars ? BOTTOM + (BAR_LABEL_LINES - 2) * LINE : BOTTOM;
    frame f = {.cairo = cairo,
               .colors = colors,
               .panel = panel,
               .left = x + LEFT,
               .right = x + PANEL_WIDTH - RIGHT,
               .top = y + TOP,
               .bottom = y + height - below};
    fit_horizontal(&f);
    fit_vertical(&f);
    use(cairo, colors->ink, 1);
    set_font(cairo, FONT + 1, true);
    draw_text(cairo, f.left, y + TOP - 14, 0, panel->title);
    set_font(cairo, FONT, false);
    if (is_empty(panel)) {
        use(cairo, colors->faded, 1);
        draw_text(cairo, (f.left + f.right) / 2, (f.top + f.bottom) / 2, 0.5, "nothing to show");
        return;
    }
    draw_vertical_axis(&f);
    cairo_save(cairo);
    cairo_rectangle(cairo, f.left, f.top - 4, f.right - f.left, f.bottom - f.top + 4);
    cairo_clip(cairo);
    for (int s = 0; s < panel->count && !panel->bars; s++) draw_band(&f, &panel->series[s]);
    for (int s = 0; s < panel->count; s++) { /* the faint ones below */
        if (panel->bars)
            draw_bars(&f, &panel->series[s], s);
        else if (panel->series[s].faint)
            draw_line(&f, &panel->series[s]);
    }
    for (int s = 0; s < panel->count; s++)
        if (!panel->bars && !panel->series[s].faint) draw_line(&f, &panel->series[s]);
    cairo_restore(cairo);
    draw_horizontal_axis(&f);
}

/* ---- the figure ---- */

/* Draws the legend of the first panel's series, or only counts its rows. */
static int draw_legend(cairo_t *cairo, const scheme *colors, const dl_figure *figure, double y, double width, bool draw)
{
    const dl_panel *panel = &figure->panel[0];
    double x = LEFT;
    int row = 0;
    set_font(cairo, FONT, false);
    for (int s = 0; s < panel->count; s++) {
        const dl_series *series = &panel->series[s];
        double need = 26 + text_width(cairo, series->name);
        if (x > LEFT && x + need > width - RIGHT) {
            x = LEFT;
            row++;
        }
        double middle = y + row * LEGEND_ROW + LEGEND_ROW / 2.0;
        if (draw) {
            use(cairo, series->color, series->faint ? 0.75 : 1);
            cairo_set_line_width(cairo, series->faint ? 1.2 : 3);
            set_dash(cairo, series->faint);
            cairo_move_to(cairo, x, middle);
            cairo_line_to(cairo, x + 20, middle);
            cairo_stroke(cairo);
            set_dash(cairo, false);
            if (!panel->bars && !series->steps) draw_marker(cairo, series->marker, x + 10, middle, 4);
            use(cairo, colors->ink, 1);
            draw_text(cairo, x + 26, middle + 4, 0, series->name);
        }
        x += need + LEGEND_GAP;
    }
    return row + 1;
}

typedef struct layout {
    int columns, rows, legend_rows, width, height, top;
} layout;

static layout lay_out(const dl_figure *figure)
{
    layout l = {.columns = figure->panels < figure->columns ? figure->panels : figure->columns};
    l.rows = (figure->panels + l.columns - 1) / l.columns;
    l.width = l.columns * PANEL_WIDTH;
    l.top = figure->title ? TITLE : 0;
    /* Text is measured on a surface that nobody sees. */
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cairo = cairo_create(surface);
    l.legend_rows = draw_legend(cairo, &COLORS[0], figure, 0, l.width, false);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    l.height = l.top + l.rows * PANEL_HEIGHT + l.legend_rows * LEGEND_ROW + 10;
    return l;
}

static void draw_figure(cairo_t *cairo, const dl_figure *figure, const layout *l, dl_theme theme)
{
    const scheme *colors = &COLORS[theme];
    use(cairo, colors->paper, 1);
    cairo_paint(cairo);
    if (figure->title) {
        use(cairo, colors->ink, 1);
        set_font(cairo, FONT + 4, true);
        draw_text(cairo, LEFT, TITLE - 8, 0, figure->title);
    }
    for (int i = 0; i < figure->panels; i++) {
        int row = i / l->columns, column = i % l->columns;
        draw_panel(cairo, colors, &figure->panel[i], column * PANEL_WIDTH, l->top + row * PANEL_HEIGHT, PANEL_HEIGHT);
    }
    draw_legend(cairo, colors, figure, l->top + l->rows * PANEL_HEIGHT, l->width, true);
}

static cairo_status_t to_text(void *text, const unsigned char *bytes, unsigned length)
{
    dl_text_add(text, (const char *)bytes, length);
    return CAIRO_STATUS_SUCCESS;
}

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

/* Draws into bytes of the format that `name` ends in. */
static dl_status render(const dl_figure *figure, const layout *l, dl_theme theme, const char *name, dl_text *bytes,
                        dl_error *err)
{
    bool png = ends_in(name, ".png");
    cairo_surface_t *surface =
        png ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(l->width * PNG_SCALE), (int)(l->height * PNG_SCALE))
        : ends_in(name, ".pdf") ? cairo_pdf_surface_create_for_stream(to_text, bytes, l->width, l->height)
                                : cairo_svg_surface_create_for_stream(to_text, bytes, l->width, l->height);
    cairo_t *cairo = cairo_create(surface);
    if (png) cairo_scale(cairo, PNG_SCALE, PNG_SCALE);
    draw_figure(cairo, figure, l, theme);
    cairo_status_t drawn = cairo_status(cairo);
    cairo_destroy(cairo);
    if (png && drawn == CAIRO_STATUS_SUCCESS) drawn = cairo_surface_write_to_png_stream(surface, to_text, bytes);
    cairo_surface_finish(surface);
    if (drawn == CAIRO_STATUS_SUCCESS) drawn = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (drawn == CAIRO_STATUS_SUCCESS) return DIFFLNS_OK;
    return dl_fail(err, DIFFLNS_IO, "%s: cannot draw: %s", name, cairo_status_to_string(drawn));
}

dl_status dl_chart_svg(const dl_figure *figure, dl_theme theme, dl_text *svg, int *width, int *height, dl_error *err)
{
    layout l = lay_out(figure);
    *width = l.width;
    *height = l.height;
    return render(figure, &l, theme, "chart.svg", svg, err);
}

dl_status dl_chart_write(const dl_figure *figure, const char *path, dl_error *err)
{
    layout l = lay_out(figure);
    dl_text bytes = {0};
    dl_output out;
    dl_status status = render(figure, &l, DL_THEME_LIGHT, path, &bytes, err);
    if (status == DIFFLNS_OK) status = dl_output_open(&out, path, err);
    if (status == DIFFLNS_OK) {
        need(!bytes.cut);
        fwrite(bytes.data, 1, bytes.size, out.stream);
        status = dl_output_commit(&out, err);
    }
    dl_text_free(&bytes);
    return status;
}

#else

dl_status dl_chart_svg(const dl_figure *figure, dl_theme theme, dl_text *svg, int *width, int *height, dl_error *err)
{
    (void)figure, (void)theme, (void)svg, (void)width, (void)height;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "this build has no cairo and draws no charts");
}

dl_status dl_chart_write(const dl_figure *figure, const char *path, dl_error *err)
{
    (void)figure;
    return dl_fail(err, DIFFLNS_BAD_INPUT, "%s: this build has no cairo and draws no charts", path);
}

#endif

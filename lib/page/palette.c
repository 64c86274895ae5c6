#include "page/palette.h"

#include <math.h>

/* Colors are chosen in OKLCH, where equal steps look equal: hues a golden angle apart, so that any few agents in a row
 * differ well, on three levels of lightness that all stand out from a white and from a black ground. */
static const double GOLDEN_ANGLE = 2.399963229728653; /* radians: pi * (3 - sqrt 5) */
static const double LIGHTNESS[] = {0.67, 0.58, 0.76};
static const double CHROMA = 0.145;

/* One channel of linear light to one byte of sRGB. */
static uint8_t channel(double linear)
{
    double c = fmin(fmax(linear, 0), 1);
    double encoded = c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055;
    return (uint8_t)lround(255 * encoded);
}

dl_color dl_palette_color(int agent)
{
    int index = agent % DL_PALETTE;
    double lightness = LIGHTNESS[index % 3], hue = 0.7 + GOLDEN_ANGLE * index;
    double a = CHROMA * cos(hue), b = CHROMA * sin(hue);
    /* OKLab to cone responses to linear sRGB. */
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    return (dl_color){channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                      channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                      channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

#include "generate/settings.h"

/* Cases and time limits of the frontier are those of the paper's hardest setting of the family. */
const dl_setting DL_SETTING[DL_SETTINGS] = {
    {"small-random", 45, 100, 180, false},      {"small-random", 50, 100, 180, false},
    {"small-random", 55, 100, 180, false},      {"small-random", 60, 100, 240, false},
    {"medium-maze", 160, 100, 240, false},      {"medium-maze", 170, 100, 240, false},
    {"medium-maze", 180, 50, 480, false},       {"medium-maze", 190, 50, 480, false},
    {"medium-room", 150, 100, 240, false},      {"medium-room", 164, 100, 240, false},
    {"medium-room", 178, 50, 480, false},       {"medium-room", 192, 50, 1200, false},
    {"medium-warehouse", 204, 100, 240, false}, {"medium-warehouse", 220, 100, 240, false},
    {"medium-warehouse", 236, 50, 480, false},  {"medium-warehouse", 252, 50, 1200, false},
    {"large-maze", 264, 50, 360, false},        {"large-maze", 280, 50, 360, false},
    {"large-maze", 296, 50, 600, false},        {"large-maze", 312, 50, 1200, false},
    {"small-random", 64, 100, 240, true},       {"small-random", 68, 100, 240, true},
    {"small-random", 72, 100, 240, true},       {"small-random", 76, 100, 240, true},
    {"medium-maze", 205, 50, 480, true},        {"medium-maze", 220, 50, 480, true},
    {"medium-maze", 240, 50, 480, true},        {"medium-maze", 260, 50, 480, true},
    {"medium-room", 206, 50, 1200, true},       {"medium-room", 220, 50, 1200, true},
    {"medium-room", 240, 50, 1200, true},       {"medium-room", 260, 50, 1200, true},
    {"medium-warehouse", 268, 50, 1200, true},  {"medium-warehouse", 284, 50, 1200, true},
    {"medium-warehouse", 300, 50, 1200, true},  {"medium-warehouse", 320, 50, 1200, true},
    {"large-maze", 340, 50, 1200, true},        {"large-maze", 370, 50, 1200, true},
    {"large-maze", 400, 50, 1200, true},        {"large-maze", 430, 50, 1200, true},
};

/* The settings of the experiments as a table: the paper's 20, and the frontier where they have become easy. For tools.
 */
#ifndef DL_GENERATE_SETTINGS_H
#define DL_GENERATE_SETTINGS_H

#include <stdbool.h>

typedef struct dl_setting {
    const char *family; /* a preset of generate.h */
    int agents;
    int cases;     /* instances */
    int seconds;   /* time limit of a case */
    bool frontier; /* beyond the paper */
} dl_setting;

enum { DL_PAPER_SETTINGS = 20, DL_FRONTIER_SETTINGS = 20, DL_SETTINGS = DL_PAPER_SETTINGS + DL_FRONTIER_SETTINGS };

/* The paper's settings come first, in the order of its table; the frontier's follow. */
extern const dl_setting DL_SETTING[DL_SETTINGS];

#endif

#include "formats/plan_format.h"

#include <stdio.h>

#include "base/choice.h"

static const dl_plan_format TABLE[] = {
#define FORMAT(id, name, looks, help)                                                                                  \
    {name, looks, help, dl_plan_##id##_likeness, dl_plan_##id##_read, dl_plan_##id##_write},
#include "formats/plan_format.def"
#undef FORMAT
};
enum { ROWS = sizeof TABLE / sizeof TABLE[0] };

#define FORMAT(id, name, ...) "|" name
const char DL_PLAN_FORMATS_BARRED[] =
#include "formats/plan_format.def"
    ;
#undef FORMAT

const dl_plan_format *dl_plan_format_at(int format)
{
    return format >= 0 && format < ROWS ? &TABLE[format] : NULL;
}

int dl_plan_format_find(const char *name)
{
    return dl_choice_index(DL_PLAN_FORMATS, name);
}

const dl_plan_format *dl_plan_format_of(const dl_plan_text *text)
{
    const dl_plan_format *best = NULL;
    dl_likeness most = DL_UNLIKE;
    for (int i = 0; i < ROWS; i++) {
        dl_likeness likeness = TABLE[i].likeness(text);
        if (likeness <= most) continue;
        best = &TABLE[i];
        most = likeness;
    }
    return best;
}

void dl_plan_format_looks(char text[DL_PLAN_LOOKS])
{
    int last = ROWS - 1;
    while (!TABLE[last].looks) last--;
    size_t used = 0;
    for (int i = 0; i <= last && used < DL_PLAN_LOOKS; i++)
        if (TABLE[i].looks)
            used += (size_t)snprintf(text + used, DL_PLAN_LOOKS - used, "%s%s",
                                     i == 0      ? ""
                                     : i == last ? " or "
                                                 : ", ",
                                     TABLE[i].looks);
}

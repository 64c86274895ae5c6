#include "formats/plan_format.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/choice.h"

static const dl_plan_format TABLE[] = {
#define FORMAT(id, name, looks, help)                                                                                  \
    {name, looks, help, dl_plan_##id##_likeness, dl_plan_##id##_read, dl_plan_##id##_write},
#include "formats/plan_format.def"
};
enum { ROWS = sizeof TABLE / sizeof TABLE[0] };

#define FORMAT(id, name, ...) "|" name
const char DL_PLAN_FORMATS_BARRED[] =
#include "formats/plan_format.def"
    ;

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

char dl_plan_step_letter(difflns_cell from, difflns_cell to, const char letters[5])
{
    assert(strlen(letters) == 5);
    int64_t down = (int64_t)to.row - from.row, right = (int64_t)to.col - from.col; /* a file may have said any number */
    if (down == 0 && right == 0) return letters[0];
    if (right == 0 && (down == 1 || down == -1)) return letters[down > 0 ? 2 : 1];
    if (down == 0 && (right == 1 || right == -1)) return letters[right > 0 ? 4 : 3];
    return 0;
}

dl_status dl_plan_require_steps(const char *format, const dl_plan *plan, dl_error *err)
{
    for (int agent = 0; agent < plan->agents; agent++)
        for (int t = 1; t < plan->path[agent].length; t++)
            if (!dl_plan_step_letter(plan->path[agent].at[t - 1], plan->path[agent].at[t], "wudlr"))
                return dl_fail(err, DIFFLNS_BAD_INPUT,
                               "%s format: agent %d jumps at time %d, expected steps to neighboring cells", format,
                               agent, t);
    return DIFFLNS_OK;
}
